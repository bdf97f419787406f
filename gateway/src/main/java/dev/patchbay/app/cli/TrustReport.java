package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.read.ProjectServers.WrittenServer;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.SecretReference;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Prints the output of {@code patchbay trust}. Text from the file is complete and escaped. */
final class TrustReport {
    private static final Set<String> SHOWN_FIRST = Set.of("command", "args", "url");

    private final Terminal terminal;
    private final Map<String, String> variables;
    private final boolean json;

    TrustReport(AppContext context, boolean json) {
        this.terminal = context.terminal();
        this.variables = context.environment().variables();
        this.json = json;
    }

    void printList(SortedMap<String, Map<String, String>> all) {
        if (json) {
            var writer = new JsonWriter().beginObject().name("files").beginArray();
            all.forEach(
                    (file, servers) -> {
                        writer.beginObject().member("file", file).name("servers").beginArray();
                        servers.keySet().forEach(writer::string);
                        writer.endArray().endObject();
                    });
            terminal.print(writer.endArray().endObject().toJson().toString());
            return;
        }
        if (all.isEmpty()) {
            terminal.printMessage("No project file is trusted.");
        }
        all.forEach(
                (file, servers) ->
                        terminal.print(
                                DisplayText.escape(file)
                                        + ": "
                                        + servers.keySet().stream()
                                                .map(DisplayText::escape)
                                                .collect(Collectors.joining(", "))));
    }

    void printChange(Path file, String what, boolean changed) {
        if (json) {
            var writer = new JsonWriter().beginObject().member("file", file.toString());
            terminal.print(writer.member("changed", changed).endObject().toJson().toString());
        } else {
            terminal.print(what + ": " + DisplayText.escape(file.toString()));
        }
    }

    /** Prints what would run. In JSON, this is part of the result. */
    void printServers(Path file, List<WrittenServer> servers, Map<String, String> approved) {
        if (json) {
            return;
        }
        terminal.print(DisplayText.escape(file.toString()));
        for (WrittenServer server : servers) {
            terminal.print("");
            terminal.print(
                    terminal.bold(word(server.key())) + " (" + status(server, approved) + ")");
            printDefinition(server.definition());
            if (!server.variables().isEmpty()) {
                terminal.print("  reads   " + variableList(server.variables()));
            }
            if (!server.secrets().isEmpty()) {
                terminal.print("  gets secrets " + secretList(server.secrets()));
            }
        }
        terminal.print("");
    }

    private void printDefinition(Json definition) {
        String command = definition.memberText("command");
        if (command != null) {
            terminal.print("  runs    " + word(command) + arguments(definition));
        }
        String url = definition.memberText("url");
        if (url != null) {
            terminal.print("  sends to " + DisplayText.escape(url));
        }
        for (Json.Member member : definition.members()) {
            boolean isShown = SHOWN_FIRST.contains(member.name()) && !member.value().isObject();
            if (!isShown) {
                String value = DisplayText.escape(member.value().toString());
                terminal.print("  " + DisplayText.escape(member.name()) + " " + value);
            }
        }
    }

    private static String arguments(Json definition) {
        Json args = definition.member("args");
        if (args == null || !args.isArray()) {
            return "";
        }
        return args.elements().stream()
                .map(arg -> word(arg.isString() ? arg.text() : arg.toString()))
                .collect(Collectors.joining(" ", " ", ""));
    }

    /** The complete text, quoted if it is empty or contains spaces or quotes. */
    private static String word(String text) {
        boolean plain =
                !text.isEmpty()
                        && text.codePoints()
                                .noneMatch(
                                        c ->
                                                c == '"'
                                                        || c == '\''
                                                        || Character.isWhitespace(c)
                                                        || Character.isSpaceChar(c));
        String escaped = DisplayText.escape(text);
        return plain ? escaped : '"' + escaped.replace("\"", "\\\"") + '"';
    }

    private String variableList(List<String> names) {
        return names.stream()
                .map(name -> "$" + name + (variables.containsKey(name) ? "" : " (not set)"))
                .collect(Collectors.joining(", "));
    }

    private static String secretList(List<SecretReference> secrets) {
        return secrets.stream()
                .map(secret -> DisplayText.escape(secret.toString()))
                .collect(Collectors.joining(", "));
    }

    void printResult(
            Path file, List<WrittenServer> servers, Map<String, String> before, boolean changed) {
        if (!json) {
            String count = servers.size() == 1 ? "1 server" : servers.size() + " servers";
            terminal.print((changed ? "Trusted " : "Already trusted: ") + count + ".");
            return;
        }
        var writer = new JsonWriter().beginObject().member("file", file.toString());
        writer.member("changed", changed).name("servers").beginArray();
        for (WrittenServer server : servers) {
            writer.beginObject().member("name", server.key());
            writer.member("status", status(server, before)).member("entry", server.definition());
            writer.name("variables").beginArray();
            server.variables().forEach(writer::string);
            writer.endArray().name("secrets").beginArray();
            server.secrets().forEach(secret -> writer.string(secret.toString()));
            writer.endArray().endObject();
        }
        terminal.print(writer.endArray().endObject().toJson().toString());
    }

    private static String status(WrittenServer server, Map<String, String> approved) {
        @Nullable String known = approved.get(server.key());
        if (known == null) {
            return "new";
        }
        return known.equals(server.fingerprint()) ? "trusted" : "changed";
    }
}
