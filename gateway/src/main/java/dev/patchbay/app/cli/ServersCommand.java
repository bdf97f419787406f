package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.server.ServerState.Status;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code patchbay servers}: connects to the servers and shows their states. */
@Command(
        name = "servers",
        description = "Connect to all servers and show their states.",
        mixinStandardHelpOptions = true)
final class ServersCommand implements Callable<Integer>, GatewayCommand {
    /** The part of an error message that repeats what the row shows. */
    private static final Pattern REDUNDANT_PREFIX =
            Pattern.compile(
                    "^Server \\S+ (could not be connected in \\d+ attempts?\\. Last error: "
                            + "|cannot be started: )?");

    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    ServersCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (CommandGateway configured = CommandGateway.open(context, config.file, List.of())) {
            configured.awaitStates();
            List<ServerReport> servers = configured.gateway().servers();
            if (json) {
                ResultPrinter.printArray(
                        context.terminal(), servers.stream().map(ServerReport::toJson));
            } else {
                print(servers);
            }
            return servers.stream().anyMatch(ServerReport::hasFailed)
                    ? ExitCode.FAILED
                    : ExitCode.OK;
        }
    }

    private void print(List<ServerReport> servers) {
        Terminal terminal = context.terminal();
        if (servers.isEmpty()) {
            terminal.printMessage("No servers are configured. Add one: patchbay add ID -- COMMAND");
            return;
        }
        var table = new TextTable("SERVER", "STATUS", "TRANSPORT", "PROTOCOL", "TOOLS", "NOTE");
        for (ServerReport server : servers) {
            var link = server.state().handshake();
            table.add(
                    TextTable.Cell.of(server.spec().id().value(), terminal::bold),
                    status(terminal, server.state().status()),
                    TextTable.Cell.of(server.spec().transport().typeName()),
                    TextTable.Cell.of(link == null ? "-" : link.version().text()),
                    TextTable.Cell.of(tools(server)),
                    TextTable.Cell.of(note(server)));
        }
        table.printWrapped(terminal);
        if (servers.stream().anyMatch(server -> server.lastError() != null)) {
            terminal.printMessage("Diagnose the errors: patchbay doctor");
        }
    }

    private static TextTable.Cell status(Terminal terminal, Status status) {
        return switch (status) {
            case CONNECTED -> TextTable.Cell.of(status.text(), terminal::success);
            case ERROR -> TextTable.Cell.of(status.text(), terminal::error);
            case CONNECTING, DISCONNECTED -> TextTable.Cell.of(status.text(), terminal::warning);
            case DISABLED -> TextTable.Cell.of(status.text(), terminal::dim);
        };
    }

    /** The number of tools; a hyphen if it is not known at present. */
    private static String tools(ServerReport server) {
        boolean known = server.state().handshake() != null && !server.stale();
        return known ? Integer.toString(server.counts().tools()) : "-";
    }

    private static String note(ServerReport server) {
        if (server.lastError() != null) {
            return capitalize(
                    REDUNDANT_PREFIX.matcher(server.lastError().message()).replaceFirst(""));
        }
        if (!server.activity().isEmpty()) {
            return server.activity();
        }
        int withheld = server.withheld().size();
        int filtered = server.filtered().size();
        String scope = scope(server);
        if (withheld == 0 && filtered == 0 && scope.isEmpty()) {
            return server.spec().options().labels().description();
        }
        return Stream.of(
                        scope,
                        withheld == 0 ? "" : withheld + " withheld",
                        filtered == 0 ? "" : filtered + " filtered")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** Who has the server to themselves, and why; empty if all clients share it. */
    private static String scope(ServerReport server) {
        return switch (server.scope().scope()) {
            case AUTO, SHARED -> "";
            case CLIENT -> "one per client (" + server.scope().reason() + ")";
            case PROJECT -> "one per project (" + server.scope().reason() + ")";
        };
    }

    private static String capitalize(String text) {
        return text.isEmpty() ? text : Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
