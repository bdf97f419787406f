package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.DaemonRunner;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.daemon.DaemonConnector;
import dev.patchbay.daemon.DaemonFiles;
import dev.patchbay.daemon.DaemonReply;
import dev.patchbay.daemon.DaemonRequest;
import dev.patchbay.daemon.RotatingLog;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay daemon}: the background gateway of the user. */
@Command(
        name = "daemon",
        description =
                "Manage the background gateway that stdio attaches to: status, start, stop,"
                        + " restart, logs.",
        mixinStandardHelpOptions = true)
final class DaemonCommand implements Callable<Integer> {
    private final AppContext context;

    @Parameters(
            index = "0",
            paramLabel = "ACTION",
            description =
                    "What to do: status, start, stop, restart or logs. Clients that are attached"
                            + " continue after stop and restart: they start the next one when they"
                            + " need it.")
    private String action;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    DaemonCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        DaemonConnector connector = DaemonRunner.connector(context);
        return switch (action) {
            case "status" -> status(connector);
            case "start" -> {
                connector.ensureRunning();
                yield status(connector);
            }
            case "stop" -> stop(connector);
            case "restart" -> {
                connector.ask(new DaemonRequest.Drain());
                connector.ensureRunning();
                yield status(connector);
            }
            case "logs" -> printLogs();
            default ->
                    throw new CommandFailedException(
                            ExitCode.WRONG_USAGE,
                            "Unknown action \""
                                    + action
                                    + "\"; use status, start, stop, restart or logs.");
        };
    }

    /** Fails if no daemon runs, so that a script can ask. */
    private int status(DaemonConnector connector) throws IOException {
        Json status = ask(connector, new DaemonRequest.Status());
        if (status == null) {
            printNotRunning();
            return ExitCode.FAILED;
        }
        if (json) {
            context.terminal().print(status.toString());
        } else {
            print(status);
        }
        return ExitCode.OK;
    }

    private int stop(DaemonConnector connector) throws IOException {
        Json status = ask(connector, new DaemonRequest.Stop());
        if (status == null) {
            printNotRunning();
        } else if (json) {
            context.terminal().print("{\"state\":\"stopped\"}");
        } else {
            context.terminal().print("Stopped process " + status.member("pid"));
        }
        return ExitCode.OK;
    }

    private static @Nullable Json ask(DaemonConnector connector, DaemonRequest request)
            throws IOException {
        return connector.ask(request) instanceof DaemonReply.Done(Json status) ? status : null;
    }

    private void printNotRunning() {
        if (json) {
            context.terminal().print("{\"state\":\"stopped\"}");
        } else {
            context.terminal().print("The background gateway does not run.");
        }
    }

    private void print(Json status) {
        List<Json> clients = elements(status, "clients");
        List<Json> gateways = elements(status, "gateways");
        context.terminal()
                .print(
                        "Running: process %s, version %s, %d clients"
                                .formatted(
                                        status.member("pid"),
                                        status.memberText("version"),
                                        clients.size()));
        for (Json gateway : gateways) {
            String file = gateway.memberText("config");
            context.terminal()
                    .print(
                            "%s: %s clients"
                                    .formatted(
                                            file == null ? "no configuration file" : file,
                                            gateway.member("clients")));
            for (Json server : elements(gateway, "servers")) {
                context.terminal()
                        .print(
                                "  %s  %s"
                                        .formatted(
                                                server.memberText("serverId"),
                                                server.memberText("status")));
            }
        }
    }

    private static List<Json> elements(Json object, String name) {
        Json array = object.member(name);
        return array == null || !array.isArray() ? List.of() : array.elements();
    }

    private int printLogs() throws IOException {
        DaemonFiles files = DaemonRunner.files(context);
        var text = new StringBuilder();
        for (Path file : List.of(RotatingLog.older(files.log()), files.log())) {
            if (Files.exists(file)) {
                text.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
            }
        }
        if (json) {
            var writer = new JsonWriter().beginObject().member("file", files.log().toString());
            writer.name("lines").beginArray();
            text.toString().lines().forEach(writer::string);
            context.terminal().print(writer.endArray().endObject().toJson().toString());
        } else if (text.isEmpty()) {
            context.terminal().printMessage("There is no log yet: " + files.log());
        } else {
            text.toString().lines().forEach(context.terminal()::print);
        }
        return ExitCode.OK;
    }
}
