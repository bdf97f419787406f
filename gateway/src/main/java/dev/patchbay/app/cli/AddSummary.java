package dev.patchbay.app.cli;

import dev.patchbay.config.ShellText;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.ProtocolVersion;
import dev.patchbay.registry.BundleManifest;
import dev.patchbay.registry.DeclaredInput;
import dev.patchbay.registry.RegistryEntry;
import dev.patchbay.registry.ServerCard;
import dev.patchbay.registry.ServerPlan;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;

/**
 * What a user sees before a server is added.
 *
 * @param about what is said about the server: name, version, description, origin
 */
record AddSummary(List<String> about) {
    /** Options of container runtimes that open the machine to the container. */
    private static final Set<String> OPEN_OPTIONS =
            Set.of(
                    "--privileged",
                    "-v",
                    "--volume",
                    "--mount",
                    "--network",
                    "--net",
                    "--device",
                    "--cap-add",
                    "--pid",
                    "--user",
                    "-u");

    AddSummary {
        about = List.copyOf(about);
    }

    static AddSummary of(RegistryEntry entry) {
        var about = new ArrayList<String>();
        about.add(entry.name() + " " + entry.version());
        about.add("  " + entry.description());
        if (!entry.repository().isEmpty()) {
            about.add("  source code: " + entry.repository());
        }
        if (entry.status().equals("deprecated")) {
            about.add("  Its author says that it should no longer be used (deprecated).");
        }
        return new AddSummary(about);
    }

    static AddSummary of(BundleManifest manifest, String sha256) {
        String name = manifest.title().isEmpty() ? manifest.name() : manifest.title();
        return new AddSummary(
                List.of(
                        name + " " + manifest.version(),
                        "  " + manifest.description(),
                        "  digest: sha256:" + sha256));
    }

    static AddSummary of(ServerCard card) {
        var about = new ArrayList<>(of(card.entry()).about());
        about.add("  This is what the server says about itself. Nobody has checked it.");
        List<String> versions = card.protocolVersions();
        if (!versions.isEmpty()
                && versions.stream().allMatch(it -> ProtocolVersion.of(it).isEmpty())) {
            about.add("  Its versions of MCP are unknown here: " + String.join(", ", versions));
        }
        return new AddSummary(about);
    }

    /** The text before the user is asked for a value. */
    static String question(DeclaredInput input) {
        var text = new StringBuilder(DisplayText.oneLine(input.description()));
        if (!input.rules().choices().isEmpty()) {
            text.append(" One of ").append(String.join(", ", input.rules().choices())).append('.');
        }
        return DisplayText.oneLine(text.toString());
    }

    /** All lines: what the server is, what runs, and what it gets. */
    List<String> lines(SandboxChoice choice, ServerPlan plan) {
        var lines = new ArrayList<String>();
        about.forEach(line -> lines.add(indented(line)));
        ConfigEntry entry = choice.entry();
        Json definition = entry.definition();
        lines.add("  id: " + entry.key());
        String url = definition.memberText("url");
        if (url != null) {
            lines.add("  connects to: " + DisplayText.oneLine(url));
            addValues(lines, "header", definition.member("headers"));
        } else {
            lines.add("  runs: " + DisplayText.oneLine(commandLine(definition)));
            String cwd = definition.memberText("cwd");
            if (cwd != null) {
                lines.add("  in: " + DisplayText.oneLine(cwd));
            }
            addValues(lines, "variable", definition.member("env"));
            addOpenOptions(lines, definition);
        }
        if (!choice.summary().isEmpty()) {
            lines.add("  sandbox: " + choice.summary());
        }
        for (String secret : plan.secrets().keySet()) {
            lines.add("  to be kept in the secret store: " + secret);
        }
        for (DeclaredInput input : plan.unset()) {
            lines.add(
                    "  not set: %s  %s"
                            .formatted(
                                    DisplayText.oneLine(input.name()),
                                    DisplayText.message(input.description())));
        }
        return lines;
    }

    private static String indented(String line) {
        return line.startsWith("  ")
                ? "  " + DisplayText.message(line.strip())
                : DisplayText.message(line);
    }

    private static String commandLine(Json definition) {
        var line = new StringJoiner(" ");
        line.add(ShellText.quote(String.valueOf(definition.memberText("command"))));
        for (String word : words(definition)) {
            line.add(ShellText.quote(word));
        }
        return line.toString();
    }

    private static List<String> words(Json definition) {
        Json args = definition.member("args");
        return args == null ? List.of() : args.elements().stream().map(Json::text).toList();
    }

    private static void addValues(List<String> lines, String label, @Nullable Json values) {
        if (values != null) {
            for (Json.Member value : values.members()) {
                lines.add(
                        "  %s: %s=%s"
                                .formatted(
                                        label,
                                        DisplayText.oneLine(value.name()),
                                        DisplayText.oneLine(value.value().text())));
            }
        }
    }

    private static void addOpenOptions(List<String> lines, Json definition) {
        String command = String.valueOf(definition.memberText("command"));
        if (!command.equals("docker") && !command.equals("podman")) {
            return;
        }
        for (String word : words(definition)) {
            int equals = word.indexOf('=');
            if (OPEN_OPTIONS.contains(equals < 0 ? word : word.substring(0, equals))) {
                lines.add("  The container gets more rights than usual: " + word);
            }
        }
    }
}
