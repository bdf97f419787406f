package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.WireMatrixCase;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.ServerScript;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A gateway in one case of the protocol matrix with active servers: {@code alpha} is healthy,
 * {@code busy} sends notifications, {@code liar} sends invalid answers, and others end.
 */
final class LoadedGateway implements AutoCloseable {
    /** Invalid answers: with another id, malformed, too late, too long. */
    static final List<String> INVALID_ANSWERS =
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

    /** The ways in which a server or one of its pipes ends. */
    static final List<String> SERVER_ENDINGS = List.of("crash", "closeStdout", "closeStdin");

    private final WireMatrixCase cell;
    private final TestHost host;
    private final ServerScript alpha;
    private final ServerScript lyingServer;

    private LoadedGateway(WireMatrixCase cell, TestInstallation installation) {
        this.cell = cell;
        this.alpha =
                installation
                        .script("alpha")
                        .tools(
                                "echo",
                                "hang",
                                "nap=slow:ms=500",
                                "late=defiant",
                                "reply",
                                "big",
                                "deep=deep:depth=490")
                        .withOption("tool-count", 1);
        this.lyingServer =
                installation.script("liar").tools(concat(INVALID_ANSWERS, "twice", "echo"));
        ServerScript busy = installation.script("busy").tools("progress", "changed", "log", "echo");
        ServerScript sphinx = installation.script("sphinx").tools("reply").era("modern");
        String second = "\"requestTimeoutMs\": 1000";
        for (String end : SERVER_ENDINGS) {
            installation.withServer(
                    installation.script("mortal-" + end).tools(end, "echo"), second);
        }
        installation
                .withServer(alpha)
                .withServer(busy)
                .withServer(sphinx)
                .withServer(lyingServer, "\"requestTimeoutMs\": 2000")
                .save();
        cell.localeSetting().environment().forEach(installation::env);
        this.host = installation.start();
    }

    static LoadedGateway open(WireMatrixCase cell, Path folder) throws InterruptedException {
        var flight = new LoadedGateway(cell, new TestInstallation(folder));
        RawStdioClient client = flight.client();
        if (!cell.isModern()) {
            client.initialize(cell.version());
        }
        client.sendLine(cell.request("\"first\"", "tools/list", "{}"));
        assertThat(client.awaitResponse("\"first\"").at("result", "tools").asList())
                .anyMatch(tool -> tool.at("name").asText().equals("alpha.echo"));
        return flight;
    }

    private static String[] concat(List<String> tools, String... more) {
        return Stream.concat(tools.stream(), Stream.of(more)).toArray(String[]::new);
    }

    TestHost host() {
        return host;
    }

    RawStdioClient client() {
        return host.client();
    }

    ServerScript alpha() {
        return alpha;
    }

    ServerScript lyingServer() {
        return lyingServer;
    }

    /** Sends a tool call and returns the id of the request. */
    String call(String tool, String arguments) {
        return call(ClientMessages.callParams(tool, arguments));
    }

    /** Sends a tool call with these params and returns the id of the request. */
    String call(String params) {
        String id = client().uniqueId();
        client().sendLine(cell.request(id, "tools/call", params));
        return id;
    }

    /** The line that calls a tool with this id. */
    String line(String id, String tool, String arguments) {
        return cell.request(id, "tools/call", ClientMessages.callParams(tool, arguments));
    }

    static String text(JsonTree answer) {
        return answer.at("result", "content", 0, "text").asText();
    }

    void awaitCalls(String tool, int count) {
        assertThat(
                        alpha.recording()
                                .await(
                                        it -> it.callArguments(tool).size() >= count,
                                        TestHost.TIMEOUT))
                .isTrue();
    }

    /** Waits until the server has received a cancellation for each hanging call. */
    void awaitHangingCallsCancelled() {
        assertThat(
                        alpha.recording()
                                .await(LoadedGateway::areHangingCallsCancelled, TestHost.TIMEOUT))
                .isTrue();
    }

    private static boolean areHangingCallsCancelled(ServerRecording record) {
        var cancelled = new HashSet<>(record.cancelledIds());
        var hang = Optional.of(new JsonTree.Str("hang"));
        return record.received("tools/call").stream()
                .filter(call -> call.findAt("params", "name").equals(hang))
                .allMatch(call -> cancelled.contains(call.at("id").write()));
    }

    @Override
    public void close() {
        host.close();
    }
}
