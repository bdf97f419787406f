package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.sandbox.ServerSandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The sandbox of a server that is added.
 *
 * @param entry the entry, with the sandbox in it
 * @param summary what the user is told about it; empty for a server behind a URL
 */
record SandboxChoice(ConfigEntry entry, String summary) {
    private static final String KEY = "sandbox";
    private static final String NONE = "none";
    private static final String STANDARD = "standard";
    private static final Set<String> LEVELS = Set.of(NONE, STANDARD, "strict");

    /** The entry with the level that the user asked for. */
    static ConfigEntry asked(ConfigEntry entry, String level) {
        requireLevel(level);
        if (isRemote(entry)) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, "--sandbox is for servers that are programs.");
        }
        return with(entry, level, null);
    }

    /**
     * The sandbox of a server that somebody else describes: {@code standard} where the machine can
     * do that, unless the user asked for another level.
     *
     * @param level what the user asked for; null for nothing
     * @param folder the unpacked bundle of the server; null if it has none
     */
    static SandboxChoice forDeclared(
            AppContext context, ConfigEntry entry, @Nullable String level, @Nullable Path folder)
            throws IOException {
        if (level != null) {
            ConfigEntry chosen = with(asked(entry, level), level, folder);
            return new SandboxChoice(chosen, level + ", as you chose");
        }
        if (isRemote(entry)) {
            return new SandboxChoice(entry, "");
        }
        String command = String.valueOf(entry.definition().memberText("command"));
        if (command.equals("docker") || command.equals("podman")) {
            return new SandboxChoice(entry, "none; the container confines the server");
        }
        try (var sandbox = new ServerSandbox(context.environment().variables(), null, List.of())) {
            return sandbox.isStandardAvailable()
                    ? new SandboxChoice(
                            with(entry, STANDARD, folder),
                            "standard; it cannot read your credentials, or write outside of its"
                                    + " working directory and caches")
                    : new SandboxChoice(
                            entry,
                            "none; this machine has no sandbox, so the server can do everything"
                                    + " that you can do");
        }
    }

    private static void requireLevel(String level) {
        if (!LEVELS.contains(level)) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "'%s' is not a level of the sandbox. Use none, standard or strict."
                            .formatted(level));
        }
    }

    private static boolean isRemote(ConfigEntry entry) {
        return entry.definition().memberText("url") != null;
    }

    /** A bundle is below the state folder of the gateway, which is hidden unless it is named. */
    private static ConfigEntry with(ConfigEntry entry, String level, @Nullable Path folder) {
        Json value = Json.string(level);
        if (folder != null && !level.equals(NONE)) {
            String path = folder.toString().replace("${", "$${");
            var json = new JsonWriter().beginObject().member("level", level).name("read");
            value = json.beginArray().string(path).endArray().endObject().toJson();
        }
        return new ConfigEntry(entry.key(), MemberPatch.with(entry.definition(), KEY, value));
    }
}
