package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.catalog.FullName;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Tool;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code patchbay describe}: shows what a tool does and which arguments it takes. */
@Command(
        name = "describe",
        description = "Show what a tool does, its arguments and an example call.",
        mixinStandardHelpOptions = true)
final class DescribeCommand implements Callable<Integer>, GatewayCommand {
    private static final Map<String, String> HINTS =
            Map.of(
                    "readOnlyHint", "changes nothing",
                    "destructiveHint", "may delete or overwrite",
                    "idempotentHint", "can be repeated",
                    "openWorldHint", "reaches other systems");

    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();

    @Parameters(
            index = "0",
            paramLabel = "TOOL",
            description = "The name of the tool, as shown by patchbay tools.")
    private String tool;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    DescribeCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (CommandGateway configured = CommandGateway.openForTool(context, config.file, tool)) {
            configured.discoverServerOf(tool);
            Gateway gateway = configured.gateway();
            if (gateway.lookup(tool) instanceof LookupResult.Found<Tool>(Tool found)) {
                if (json) {
                    context.terminal().print(toJson(found).toString());
                } else {
                    print(found);
                }
                return ExitCode.OK;
            }
            return reportMissing(gateway);
        }
    }

    private static Json toJson(Tool found) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("fullName", found.name().text())
                        .member("toolName", found.name().name())
                        .member("serverId", found.name().server().value());
        for (String member : List.of("title", "description")) {
            addMember(writer, found, member);
        }
        writer.member("inputSchema", found.inputSchema());
        for (String member : List.of("outputSchema", "annotations")) {
            addMember(writer, found, member);
        }
        Json example = ExampleArguments.of(found.inputSchema());
        if (example != null) {
            writer.member("example", example);
        }
        return writer.endObject().toJson();
    }

    private static void addMember(JsonWriter writer, Tool found, String member) {
        Json value = found.definition().member(member);
        if (value != null) {
            writer.member(member, value);
        }
    }

    private void print(Tool found) {
        Terminal terminal = context.terminal();
        String title = found.definition().memberText("title");
        terminal.print(
                terminal.bold(found.name().text())
                        + (title == null ? "" : "  " + DisplayText.oneLine(title)));
        if (!found.description().isBlank()) {
            terminal.print("");
            printWrapped(found.description().strip());
        }
        terminal.print("");
        List<SchemaTable.Row> rows = SchemaTable.rows(found.inputSchema());
        if (rows.isEmpty()) {
            terminal.print("It takes no arguments.");
        } else {
            SchemaTable.print(terminal, "ARGUMENT", rows);
        }
        Json output = found.definition().member("outputSchema");
        List<SchemaTable.Row> results =
                output == null || !output.isObject() ? List.of() : SchemaTable.rows(output);
        if (!results.isEmpty()) {
            terminal.print("");
            SchemaTable.print(terminal, "RESULT", results);
        }
        List<String> hints = hints(found.definition().member("annotations"));
        if (!hints.isEmpty()) {
            terminal.print("");
            terminal.print("The server says: " + String.join(", ", hints) + ".");
        }
        terminal.print("");
        Json example = ExampleArguments.of(found.inputSchema());
        terminal.print(
                example == null
                        ? "No example: the schema is too special to make one."
                        : "Example: "
                                + ExampleArguments.command(
                                        found.name().text(), example, found.inputSchema()));
    }

    /** Prints the lines of a text; on a terminal, none is wider than the terminal. */
    private void printWrapped(String text) {
        Terminal terminal = context.terminal();
        for (String line : text.lines().toList()) {
            if (terminal.isInteractive()) {
                TextTable.wrap(line, terminal.width(), Integer.MAX_VALUE).forEach(terminal::print);
            } else {
                terminal.print(line);
            }
        }
    }

    private static List<String> hints(@Nullable Json annotations) {
        var hints = new ArrayList<String>();
        if (annotations != null && annotations.isObject()) {
            for (Json.Member hint : annotations.members()) {
                String text = HINTS.get(hint.name());
                if (text != null && hint.value().isTrue()) {
                    hints.add(text);
                }
            }
        }
        return hints;
    }

    private int reportMissing(Gateway gateway) {
        ErrorReason reason = ErrorReason.TOOL_NOT_FOUND;
        String message = "There is no tool " + DisplayText.quoteName(tool);
        switch (gateway.lookup(tool)) {
            case LookupResult.Ambiguous<Tool>(List<FullName> candidates) -> {
                reason = ErrorReason.AMBIGUOUS_TOOL;
                message =
                        "Several servers have a tool %s; use one of %s"
                                .formatted(
                                        DisplayText.quoteName(tool),
                                        String.join(
                                                ", ",
                                                candidates.stream().map(FullName::text).toList()));
            }
            case LookupResult.Filtered<Tool>(FullName name) ->
                    message = "The tool " + name + " is filtered: the configuration hides it";
            case LookupResult.NotFound<Tool>(ServerId owner) -> {
                ServerReport report = owner == null ? null : gateway.server(owner).orElse(null);
                if (report != null && !report.enabled()) {
                    reason = ErrorReason.SERVER_DISABLED;
                    message = "Server " + owner + " is disabled";
                } else if (report != null && report.lastError() != null) {
                    reason = report.lastError().reason();
                    message = report.lastError().message();
                }
            }
            case LookupResult.Found<Tool> _ -> {}
        }
        print(reason, message, gateway);
        return ExitCode.FAILED;
    }

    private void print(ErrorReason reason, String message, Gateway gateway) {
        Terminal terminal = context.terminal();
        if (json) {
            terminal.print(
                    new JsonWriter()
                            .beginObject()
                            .name("error")
                            .beginObject()
                            .member("reason", reason.name())
                            .member("message", message)
                            .endObject()
                            .endObject()
                            .toJson()
                            .toString());
            return;
        }
        terminal.printMessage("patchbay: " + reason + ": " + message);
        var names = gateway.tools().stream().map(it -> it.tool().name().text()).toList();
        if (reason == ErrorReason.TOOL_NOT_FOUND) {
            CallAdvice.similarNames(tool, names, "patchbay tools").forEach(terminal::printMessage);
        } else {
            terminal.printMessage("Diagnose it: patchbay doctor " + tool);
        }
    }
}
