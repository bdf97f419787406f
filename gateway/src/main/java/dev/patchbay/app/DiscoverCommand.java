package dev.patchbay.app;

import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.DiscoveryResult;
import dev.patchbay.gateway.DiscoveryResult.Status;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay discover}: asks servers for their lists, with a row for each. */
@Command(
        name = "discover",
        description = "Ask the servers for their lists and show how it went with each.",
        mixinStandardHelpOptions = true)
final class DiscoverCommand implements Callable<Integer> {
    private final Context context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Option(names = "--force-refresh", description = "Ask also where the list is current.")
    private boolean force;

    @Option(names = "--include-disabled", description = "Show disabled servers too.")
    private boolean withDisabled;

    @Option(names = "--server", paramLabel = "ID", description = "Only this server.")
    private List<String> servers = List.of();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DiscoverCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Workspace workspace = Workspace.open(context, config.file, servers)) {
            DiscoveryResult result =
                    workspace.discover(new DiscoveryRequest(servers, force, withDisabled));
            if (json) {
                context.terminal().print(result.toJson().toString());
            } else {
                print(result);
            }
            return failed(result) ? Exit.FAILED : Exit.OK;
        }
    }

    private static boolean failed(DiscoveryResult result) {
        return result.serverResults().stream().anyMatch(row -> row.status() == Status.ERROR);
    }

    private void print(DiscoveryResult result) {
        Terminal terminal = context.terminal();
        var table = new Table("SERVER", "RESULT", "TOOLS", "RESOURCES", "MS", "NOTE");
        for (DiscoveryResult.Row row : result.serverResults()) {
            table.add(
                    Table.Cell.of(row.serverId(), terminal::strong),
                    status(terminal, row.status()),
                    Table.Cell.of(Integer.toString(row.toolCount())),
                    Table.Cell.of(Integer.toString(row.resourceCount())),
                    Table.Cell.of(Long.toString(row.durationMs())),
                    Table.Cell.of(row.error() == null ? "" : row.error().message()));
        }
        table.print(terminal);
        terminal.say(result.tools().size() + " tools in " + result.totalDurationMs() + " ms");
    }

    private static Table.Cell status(Terminal terminal, Status status) {
        return switch (status) {
            case SUCCESS -> Table.Cell.of(status.text(), terminal::good);
            case ERROR -> Table.Cell.of(status.text(), terminal::bad);
            case SKIPPED -> Table.Cell.of(status.text(), terminal::faint);
        };
    }
}
