package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.Cell;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.ServerRecord;
import dev.patchbay.testkit.ServerScript;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A gateway in one cell of the matrix with servers at work behind it: {@code alpha} that is well,
 * {@code busy} that talks, {@code liar} whose answers are none, and some that end.
 */
final class Flight implements AutoCloseable {
    /** Answers that are none: of another id, another shape, too late, too long. */
    static final List<String> LIES =
            List.of(
                    "wrongId",
                    "stringId",
                    "noId",
                    "both",
                    "neither",
                    "nullResult",
                    "badError",
                    "late=late:ms=2800",
                    "big=big:bytes=17000000");

    /** Ends of a server, or of one of its pipes. */
    static final List<String> ENDS = List.of("crash", "closeStdout", "closeStdin");

    private final Cell cell;
    private final Host host;
    private final ServerScript alpha;
    private final ServerScript liar;

    private Flight(Cell cell, Workbench bench) {
        this.cell = cell;
        this.alpha =
                bench.script("alpha")
                        .tools(
                                "echo",
                                "hang",
                                "nap=slow:ms=500",
                                "late=defiant",
                                "reply",
                                "big",
                                "deep=deep:depth=490")
                        .with("tool-count", 1);
        this.liar = bench.script("liar").tools(with(LIES, "twice", "echo"));
        ServerScript busy = bench.script("busy").tools("progress", "changed", "log", "echo");
        ServerScript sphinx = bench.script("sphinx").tools("reply").era("modern");
        String second = "\"requestTimeoutMs\": 1000";
        for (String end : ENDS) {
            bench.with(bench.script("mortal-" + end).tools(end, "echo"), second);
        }
        bench.with(alpha).with(busy).with(sphinx).with(liar, "\"requestTimeoutMs\": 2000").save();
        cell.surroundings().environment().forEach(bench::env);
        this.host = bench.start();
    }

    static Flight open(Cell cell, Path folder) throws InterruptedException {
        var flight = new Flight(cell, new Workbench(folder));
        RawClient client = flight.client();
        if (!cell.modern()) {
            client.initialize(cell.version());
        }
        client.sendLine(cell.request("\"first\"", "tools/list", "{}"));
        assertThat(client.awaitAnswer("\"first\"").at("result", "tools").list())
                .anyMatch(tool -> tool.at("name").text().equals("alpha.echo"));
        return flight;
    }

    private static String[] with(List<String> tools, String... more) {
        return Stream.concat(tools.stream(), Stream.of(more)).toArray(String[]::new);
    }

    Host host() {
        return host;
    }

    RawClient client() {
        return host.client();
    }

    ServerScript alpha() {
        return alpha;
    }

    ServerScript liar() {
        return liar;
    }

    /** Calls a tool with these params; the id of the request. */
    String call(String params) {
        String id = client().freshId();
        client().sendLine(cell.request(id, "tools/call", params));
        return id;
    }

    /** The line that calls a tool under this id. */
    String line(String id, String tool, String arguments) {
        return cell.request(id, "tools/call", Messages.callParams(tool, arguments));
    }

    static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").text();
    }

    void awaitCalls(String tool, int count) {
        assertThat(alpha.record().await(it -> it.calls(tool).size() >= count, Host.PATIENCE))
                .isTrue();
    }

    /** Waits until the server has been told of each call that hangs that nobody wants it. */
    void awaitNothingHangs() {
        assertThat(alpha.record().await(Flight::nothingHangs, Host.PATIENCE)).isTrue();
    }

    private static boolean nothingHangs(ServerRecord record) {
        var cancelled = new HashSet<>(record.cancels());
        var hang = Optional.of(new JsonTree.Str("hang"));
        return record.received("tools/call").stream()
                .filter(call -> call.find("params", "name").equals(hang))
                .allMatch(call -> cancelled.contains(call.at("id").write()));
    }

    @Override
    public void close() {
        host.close();
    }
}
