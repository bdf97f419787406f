package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.RecordedStates;
import dev.patchbay.app.wiring.RecordedStates.RunningGateway;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.history.LogEvent;
import dev.patchbay.history.RecordedCall;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@code patchbay status} shows.
 *
 * @param daemon the state of the background gateway; null if it does not run
 * @param failures the servers in trouble
 * @param calls the calls of the last day
 */
record StatusReport(
        @Nullable Json daemon,
        RecordedStates states,
        List<LogEvent> failures,
        List<RecordedCall> calls) {
    private static final int ERRORS_SHOWN = 5;

    StatusReport {
        failures = List.copyOf(failures);
        calls = calls.stream().filter(it -> it.notRecorded() == 0).toList();
    }

    /** The calls of a client. */
    private record ClientCalls(int calls, int failed, Instant last) {
        ClientCalls and(RecordedCall earlier) {
            return new ClientCalls(calls + 1, failed + (earlier.isError() ? 1 : 0), last);
        }
    }

    /** Whether a server has failed. */
    boolean hasTrouble() {
        return !failures.isEmpty();
    }

    void print(Terminal terminal) {
        printGateways(terminal);
        printFailures(terminal);
        printClients(terminal);
        printErrors(terminal);
    }

    private void printGateways(Terminal terminal) {
        if (daemon != null) {
            terminal.print(
                    "Background gateway: process %s, version %s, %d clients"
                            .formatted(
                                    daemon.member("pid"),
                                    daemon.memberText("version"),
                                    attachedPids().size()));
        } else {
            terminal.print("Background gateway: not running");
        }
        List<RunningGateway> running = states.gateways();
        if (running.isEmpty() && daemon == null) {
            terminal.print("No host uses Patchbay now. Check the servers with: patchbay servers");
            return;
        }
        var table = new TextTable("GATEWAY", "PROCESS", "SINCE", "HOST", "CONFIGURATION");
        for (RunningGateway gateway : running) {
            LogEvent start = gateway.start();
            table.add(
                    TextTable.Cell.of(start.via(), terminal::bold),
                    TextTable.Cell.of(Long.toString(start.pid())),
                    TextTable.Cell.of(CallTable.time(start.at())),
                    TextTable.Cell.of(String.join(", ", hosts(gateway))),
                    TextTable.Cell.of(start.config().isEmpty() ? "-" : start.config()));
        }
        if (!running.isEmpty()) {
            terminal.print("");
            table.print(terminal);
        }
    }

    /** The hosts of a gateway: those of the attached clients, or the one that started it. */
    private List<String> hosts(RunningGateway gateway) {
        if (!gateway.start().via().equals("daemon")) {
            return List.of(gateway.host());
        }
        var hosts = new ArrayList<String>();
        for (long pid : attachedPids()) {
            String host = ProcessHandle.of(pid).map(RecordedStates::host).orElse("");
            if (!host.isEmpty() && !hosts.contains(host)) {
                hosts.add(host);
            }
        }
        return hosts;
    }

    private List<Long> attachedPids() {
        Json clients = daemon == null ? null : daemon.member("clients");
        return clients == null || !clients.isArray()
                ? List.of()
                : clients.elements().stream().map(it -> number(it, "pid")).toList();
    }

    private static long number(Json object, String name) {
        Json value = object.member(name);
        return value == null ? 0 : value.asLong(0);
    }

    private void printFailures(Terminal terminal) {
        if (failures.isEmpty()) {
            if (!states.gateways().isEmpty()) {
                terminal.print("");
                terminal.print("No server is in trouble.");
            }
            return;
        }
        terminal.print("");
        terminal.print(terminal.bold("Servers in trouble"));
        var table = new TextTable("SERVER", "REASON", "SINCE", "MESSAGE");
        for (LogEvent failure : failures) {
            table.add(
                    TextTable.Cell.of(failure.server(), terminal::bold),
                    TextTable.Cell.of(reason(failure), terminal::error),
                    TextTable.Cell.of(CallTable.time(failure.at())),
                    TextTable.Cell.of(message(failure)));
        }
        table.printWrapped(terminal);
        String first = failures.getFirst().server();
        terminal.print("Next: patchbay doctor " + first + ", patchbay logs " + first);
    }

    /** The reason of a failure; of a server that does not answer yet, its state. */
    private static String reason(LogEvent failure) {
        return failure.reason().isEmpty() ? "CONNECTING" : failure.reason();
    }

    private static String message(LogEvent failure) {
        return failure.message().isEmpty() ? "No answer since then" : failure.message();
    }

    private void printClients(Terminal terminal) {
        Map<String, ClientCalls> clients = clients();
        if (clients.isEmpty()) {
            return;
        }
        terminal.print("");
        terminal.print(terminal.bold("Clients of the last 24 hours"));
        var table = new TextTable("CLIENT", "CALLS", "FAILED", "LAST CALL");
        clients.forEach(
                (name, client) ->
                        table.add(
                                TextTable.Cell.of(name),
                                TextTable.Cell.of(Integer.toString(client.calls)),
                                TextTable.Cell.of(Integer.toString(client.failed)),
                                TextTable.Cell.of(CallTable.time(client.last))));
        table.print(terminal);
    }

    private Map<String, ClientCalls> clients() {
        Map<String, ClientCalls> clients = new LinkedHashMap<>();
        for (RecordedCall call : calls.reversed()) {
            String name = CallTable.client(call);
            var known = clients.getOrDefault(name, new ClientCalls(0, 0, call.at()));
            clients.put(name, known.and(call));
        }
        return clients;
    }

    private void printErrors(Terminal terminal) {
        List<RecordedCall> errors = lastErrors();
        if (!errors.isEmpty()) {
            terminal.print("");
            terminal.print(terminal.bold("Last errors"));
            CallTable.print(terminal, errors);
        }
    }

    private List<RecordedCall> lastErrors() {
        List<RecordedCall> errors = calls.stream().filter(RecordedCall::isError).toList();
        return errors.subList(Math.max(0, errors.size() - ERRORS_SHOWN), errors.size());
    }

    Json toJson() {
        var writer = new JsonWriter().beginObject();
        writer.member("daemon", daemon == null ? Json.of("{\"state\":\"stopped\"}") : daemon);
        writer.name("gateways").beginArray();
        for (RunningGateway gateway : states.gateways()) {
            writer.beginObject()
                    .member("via", gateway.start().via())
                    .member("pid", gateway.start().pid())
                    .member("startedAt", gateway.start().at().toString())
                    .member("config", gateway.start().config())
                    .name("hosts")
                    .beginArray();
            hosts(gateway).forEach(writer::string);
            writer.endArray().endObject();
        }
        writer.endArray().name("trouble").beginArray();
        for (LogEvent failure : failures) {
            writer.beginObject()
                    .member("serverId", failure.server())
                    .member("reason", reason(failure))
                    .member("message", message(failure))
                    .member("since", failure.at().toString())
                    .member("nextStep", "patchbay doctor " + failure.server())
                    .endObject();
        }
        writer.endArray().name("clients").beginArray();
        clients()
                .forEach(
                        (name, client) ->
                                writer.beginObject()
                                        .member("client", name)
                                        .member("calls", client.calls)
                                        .member("failed", client.failed)
                                        .member("lastCallAt", client.last.toString())
                                        .endObject());
        writer.endArray().name("errors").beginArray();
        lastErrors().forEach(call -> writer.value(call.toJson()));
        return writer.endArray().endObject().toJson();
    }
}
