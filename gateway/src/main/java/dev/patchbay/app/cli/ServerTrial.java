package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.gateway.ToolReport;
import dev.patchbay.server.ServerId;
import dev.patchbay.text.DisplayText;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Starts a server that was just added, and shows what it offers. */
final class ServerTrial {
    private static final int TOOLS_SHOWN_MAX = 20;

    private ServerTrial() {}

    /** Prints the tools of the server, or why it cannot be used. The entry stays as it is. */
    static void run(AppContext context, Path file, String key) throws InterruptedException {
        Terminal terminal = context.terminal();
        ServerId server = ServerKeyMapper.toServerId(key);
        if (server == null) {
            return;
        }
        String id = server.value();
        try (CommandGateway configured = CommandGateway.open(context, file, List.of(id))) {
            configured.discover(DiscoveryRequest.ALL.only(id));
            for (ServerReport report : configured.gateway().servers()) {
                if (report.spec().id().equals(server)) {
                    print(terminal, report, toolNames(configured, id));
                }
            }
        }
    }

    private static List<String> toolNames(CommandGateway configured, String id) {
        return configured.gateway().tools().stream()
                .map(ToolReport::tool)
                .filter(tool -> tool.name().server().value().equals(id))
                .map(tool -> tool.name().text())
                .toList();
    }

    private static void print(Terminal terminal, ServerReport server, List<String> tools) {
        String id = server.spec().id().value();
        if (server.lastError() != null) {
            terminal.printMessage(server.lastError().message());
            terminal.printMessage(
                    "The entry was kept. Find out more: patchbay doctor "
                            + id
                            + ". Remove it: patchbay remove "
                            + id);
            return;
        }
        if (!server.enabled()) {
            return;
        }
        String shown =
                tools.stream()
                        .limit(TOOLS_SHOWN_MAX)
                        .map(DisplayText::oneLine)
                        .collect(Collectors.joining(", "));
        String more = tools.size() > TOOLS_SHOWN_MAX ? ", …" : "";
        String count = tools.size() == 1 ? "1 tool" : tools.size() + " tools";
        terminal.print(
                "Connected to %s: %s%s"
                        .formatted(id, count, tools.isEmpty() ? "" : ": " + shown + more));
    }
}
