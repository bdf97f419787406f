package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.catalog.Tool;
import dev.patchbay.catalog.ToolSearch;
import dev.patchbay.gateway.ToolReport;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/** {@code patchbay tools}: lists the tools of all servers by full name. */
@Command(
        name = "tools",
        description = "List the tools of the servers, with descriptions.",
        mixinStandardHelpOptions = true)
final class ToolsCommand implements Callable<Integer>, GatewayCommand {
    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();
    @Mixin private ServerOption servers = new ServerOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            description = "Only tools whose names contain this text; * matches any characters.")
    private @Nullable String pattern;

    @Option(
            names = "--find",
            paramLabel = "WORDS",
            description =
                    "Only tools with one of these words in the name or the description, the best"
                            + " match first.")
    private @Nullable String words;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    ToolsCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (CommandGateway configured = servers.open(context, config.file)) {
            boolean complete = configured.discoverAll();
            List<ToolReport> tools =
                    found(configured.gateway().tools()).stream().filter(this::isSelected).toList();
            if (json) {
                ResultPrinter.printArray(
                        context.terminal(), tools.stream().map(ToolReport::toJson));
            } else {
                print(tools);
            }
            return complete ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private List<ToolReport> found(List<ToolReport> all) {
        if (words == null) {
            return all;
        }
        var reports = new LinkedHashMap<Tool, ToolReport>();
        all.forEach(report -> reports.put(report.tool(), report));
        return ToolSearch.find(reports.keySet(), words).stream().map(reports::get).toList();
    }

    private boolean isSelected(ToolReport report) {
        return servers.includes(report.tool().name().server().value())
                && (pattern == null || matches(report.tool().name().text(), pattern));
    }

    /** Whether the parts of a pattern between its stars occur in a name in this order. */
    static boolean matches(String name, String pattern) {
        String lower = name.toLowerCase(Locale.ROOT);
        int at = 0;
        for (String part : pattern.toLowerCase(Locale.ROOT).split("\\*", -1)) {
            int found = lower.indexOf(part, at);
            if (found < 0) {
                return false;
            }
            at = found + part.length();
        }
        return true;
    }

    private static String firstSentence(String description) {
        int end = description.indexOf(". ");
        return end < 0 ? description : description.substring(0, end + 1);
    }

    private void print(List<ToolReport> tools) {
        Terminal terminal = context.terminal();
        if (tools.isEmpty()) {
            terminal.printMessage(
                    pattern == null && words == null
                            ? "No server offers a tool."
                            : "No tool matches.");
            return;
        }
        var table = new TextTable("TOOL", "DESCRIPTION");
        for (ToolReport report : tools) {
            String mark = report.available() ? "" : "(not connected) ";
            table.add(
                    TextTable.Cell.of(report.tool().name().text(), terminal::bold),
                    TextTable.Cell.of(mark + firstSentence(report.tool().description())));
        }
        table.print(terminal);
    }
}
