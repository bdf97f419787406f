package dev.patchbay.app;

import dev.patchbay.gateway.ServerReport;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerState.Status;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code patchbay servers}: every server with its true state. */
@Command(
        name = "servers",
        description = "Connect to every server and show its state.",
        mixinStandardHelpOptions = true)
final class ServersCommand implements Callable<Integer> {
    /** What the row of a server says anyway; what is told after it would be cut off. */
    private static final Pattern LEAD =
            Pattern.compile(
                    "^Server \\S+ (could not be connected in \\d+ attempts?\\. The last: )?");

    private final Context context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    ServersCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Workspace workspace = Workspace.glance(context, config.file)) {
            workspace.discoverQuietly(null);
            List<ServerReport> servers = workspace.gateway().servers();
            if (json) {
                var writer = new JsonWriter().beginArray();
                servers.forEach(server -> writer.value(server.toJson()));
                context.terminal().print(writer.endArray().toJson().toString());
            } else {
                print(servers);
            }
        }
        return Exit.OK;
    }

    private void print(List<ServerReport> servers) {
        Terminal terminal = context.terminal();
        if (servers.isEmpty()) {
            terminal.say("No servers are configured. Add one: patchbay add ID -- COMMAND");
            return;
        }
        var table = new Table("SERVER", "STATUS", "TRANSPORT", "ERA", "TOOLS", "NOTE");
        for (ServerReport server : servers) {
            var link = server.state().link();
            table.add(
                    Table.Cell.of(server.spec().id().value(), terminal::strong),
                    status(terminal, server.state().status()),
                    Table.Cell.of(server.spec().transport().word()),
                    Table.Cell.of(link == null ? "-" : link.version().text()),
                    Table.Cell.of(tools(server)),
                    Table.Cell.of(note(server)));
        }
        table.print(terminal);
        if (servers.stream().anyMatch(server -> server.lastError() != null)) {
            terminal.say("Find out more: patchbay doctor");
        }
    }

    private static Table.Cell status(Terminal terminal, Status status) {
        return switch (status) {
            case CONNECTED -> Table.Cell.of(status.text(), terminal::good);
            case ERROR -> Table.Cell.of(status.text(), terminal::bad);
            case CONNECTING, DISCONNECTED -> Table.Cell.of(status.text(), terminal::doubtful);
            case DISABLED -> Table.Cell.of(status.text(), terminal::faint);
        };
    }

    /** How many tools it has, if that is known to be so now. */
    private static String tools(ServerReport server) {
        boolean known = server.state().link() != null && !server.stale();
        return known ? Integer.toString(server.counts().tools()) : "-";
    }

    private static String note(ServerReport server) {
        if (server.lastError() != null) {
            return LEAD.matcher(server.lastError().message()).replaceFirst("");
        }
        int withheld = server.withheld().size();
        int filtered = server.filtered().size();
        if (withheld == 0 && filtered == 0) {
            return server.spec().options().words().description();
        }
        return Stream.of(
                        withheld == 0 ? "" : withheld + " withheld",
                        filtered == 0 ? "" : filtered + " filtered")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
