package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.DiscoveryResult;
import dev.patchbay.gateway.DiscoveryResult.DiscoveryStatus;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay discover}: refreshes the lists of servers and shows a row for each. */
@Command(
        name = "discover",
        description = "Refresh the tool lists of the servers and show the result for each server.",
        mixinStandardHelpOptions = true)
final class DiscoverCommand implements Callable<Integer>, GatewayCommand {
    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();

    @Option(
            names = "--force-refresh",
            description = "Refresh even if the cached list is up to date.")
    private boolean forceRefresh;

    @Option(names = "--include-disabled", description = "Include disabled servers in the result.")
    private boolean includeDisabled;

    @Option(
            names = "--server",
            paramLabel = "ID",
            description = "Refresh only this server. Can be repeated.")
    private List<String> servers = List.of();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    DiscoverCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (CommandGateway configured = CommandGateway.open(context, config.file, servers)) {
            DiscoveryResult result =
                    configured.discover(
                            new DiscoveryRequest(servers, forceRefresh, includeDisabled));
            if (json) {
                context.terminal().print(result.toJson().toString());
            } else {
                print(result);
            }
            return hasFailed(result) ? ExitCode.FAILED : ExitCode.OK;
        }
    }

    private static boolean hasFailed(DiscoveryResult result) {
        return result.serverResults().stream()
                .anyMatch(row -> row.status() == DiscoveryStatus.ERROR);
    }

    private void print(DiscoveryResult result) {
        Terminal terminal = context.terminal();
        var table = new TextTable("SERVER", "RESULT", "TOOLS", "RESOURCES", "MS", "NOTE");
        for (DiscoveryResult.ServerResult row : result.serverResults()) {
            table.add(
                    TextTable.Cell.of(row.serverId(), terminal::bold),
                    status(terminal, row.status()),
                    TextTable.Cell.of(Integer.toString(row.toolCount())),
                    TextTable.Cell.of(Integer.toString(row.resourceCount())),
                    TextTable.Cell.of(Long.toString(row.durationMs())),
                    TextTable.Cell.of(row.error() == null ? "" : row.error().message()));
        }
        table.printWrapped(terminal);
        terminal.printMessage(
                result.tools().size() + " tools in " + result.totalDurationMs() + " ms");
    }

    private static TextTable.Cell status(Terminal terminal, DiscoveryStatus status) {
        return switch (status) {
            case SUCCESS -> TextTable.Cell.of(status.text(), terminal::success);
            case ERROR -> TextTable.Cell.of(status.text(), terminal::error);
            case SKIPPED -> TextTable.Cell.of(status.text(), terminal::dim);
        };
    }
}
