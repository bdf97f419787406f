package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Finds the hosts on this machine that have Patchbay installed. */
public final class InstallationFinder {
    /**
     * Patchbay's entry in the file of a host.
     *
     * @param setsNames whether the entry selects the style of tool names
     */
    public record Installation(McpHost host, Path file, boolean setsNames) {}

    private final HostFileLocator files;
    private final Path workingDirectory;

    public InstallationFinder(Environment environment) {
        files = new HostFileLocator(environment);
        workingDirectory = environment.workingDirectory();
    }

    /** The installations that use the given configuration file or name none. */
    public List<Installation> find(@Nullable Path config) {
        var found = new ArrayList<Installation>();
        for (McpHost host : McpHost.values()) {
            for (HostFile file : files.locate(host)) {
                Json own = ownEntry(file);
                if (own != null && usesConfig(own, config)) {
                    Json env = own.member("env");
                    boolean names = env != null && env.member(ConfigReader.NAMES_VARIABLE) != null;
                    found.add(new Installation(host, file.path(), names));
                }
            }
        }
        return found;
    }

    /** Patchbay's entry in a file, in the common structure; null if there is none. */
    private static @Nullable Json ownEntry(HostFile file) {
        try {
            if (!Files.isRegularFile(file.path())) {
                return null;
            }
            var text = new HostFileText(file, Files.readString(file.path()));
            SyntaxNode.ObjectNode own = text.ownNode();
            return own == null || !text.hasPatchbay()
                    ? null
                    : SyntaxNodeJson.toJson(HostEntryShape.convert(own, file.format()).entry());
        } catch (IOException _) {
            return null;
        }
    }

    private boolean usesConfig(Json entry, @Nullable Path config) {
        Json args = entry.member("args");
        List<String> words =
                args == null || !args.isArray()
                        ? List.of()
                        : args.elements().stream().filter(Json::isString).map(Json::text).toList();
        int option = words.indexOf("--config");
        if (option < 0 || option + 1 >= words.size() || config == null) {
            return true;
        }
        Path named = Environment.parsePath(words.get(option + 1));
        return named != null
                && workingDirectory
                        .resolve(named)
                        .normalize()
                        .equals(workingDirectory.resolve(config).normalize());
    }
}
