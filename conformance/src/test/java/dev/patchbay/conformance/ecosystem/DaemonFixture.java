package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Await;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.StrictJson;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * An installation whose clients attach to a background gateway. Its one server, {@code s}, writes
 * its process id and the argument {@code n} of each call to files. Closing the fixture stops the
 * gateway and asserts that nothing is left.
 */
final class DaemonFixture implements AutoCloseable {
    /** With the argument {@code "wait":true} a call lasts until there is a file named "go". */
    private static final String SCRIPT =
            """
            echo $$ >>pids
            reply() { printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$1"; }
            while IFS= read -r line; do
                id=${line#*'"id":'} id=${id%%[,\\}]*}
                case $line in
                    *'"method":"initialize"'*)
                        reply '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
            "serverInfo":{"name":"s","version":"1"}}'
                        ;;
                    *'"method":"tools/list"'*)
                        reply '{"tools":[{"name":"count","inputSchema":{"type":"object"}}]}'
                        ;;
                    *'"method":"tools/call"'*)
                        n=${line#*'"n":"'} n=${n%%'"'*}
                        echo "$n" >>calls
                        case $line in *'"wait":true'*)
                            while [ ! -e go ]; do sleep 0.05; done ;; esac
                        reply '{"content":[{"type":"text","text":"'"$$"'"}]}'
                        ;;
                    *'"method":"ping"'*) reply '{}' ;;
                esac
            done
            """;

    private final TestInstallation installation;

    DaemonFixture(Path folder) {
        installation = new TestInstallation(folder);
        installation.settings("\"daemon\": {\"enabled\": true, \"idleExitMs\": 600000}");
        try {
            Path script = Files.writeString(folder.resolve("server.sh"), SCRIPT);
            installation.withServer(
                    "s",
                    "{\"command\": \"/bin/sh\", \"args\": [%s], \"cwd\": %s}"
                            .formatted(
                                    StrictJson.quote(script.toString()),
                                    StrictJson.quote(folder.toString())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        installation.save();
    }

    TestInstallation installation() {
        return installation;
    }

    /** Starts a client, which attaches, and performs the handshake. */
    TestHost connect() throws InterruptedException {
        TestHost host = start();
        host.client().initialize("2025-11-25");
        return host;
    }

    TestHost start(String... more) {
        var arguments = Stream.of("stdio", "--config", installation.configFile().toString());
        return installation.start(
                TestInstallation.program()
                        .launcherCommand(
                                Stream.concat(arguments, Stream.of(more)).toArray(String[]::new)));
    }

    /** Calls the tool and returns the process id of the server that answered. */
    static long call(TestHost host, String n) throws InterruptedException {
        return Long.parseLong(host.callForText("s.count", "{\"n\":\"" + n + "\"}"));
    }

    Path socketDirectory() {
        return installation.folder().resolve(".local/state/patchbay/run");
    }

    /** The state of the daemon. */
    JsonTree status() {
        return ask("{\"patchbay\":1,\"request\":\"status\"}").at("status");
    }

    long pid() {
        return Long.parseLong(status().at("pid").write());
    }

    /** Sends the first line of a connection to the daemon and returns the answer. */
    JsonTree ask(String request) {
        var address = UnixDomainSocketAddress.of(socketDirectory().resolve("daemon.sock"));
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(address);
            channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
            var answer = new ByteArrayOutputStream();
            var buffer = ByteBuffer.allocate(65536);
            while (channel.read(buffer) >= 0) {
                answer.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
            return StrictJson.parse(answer.toString(StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Whether a daemon listens. The socket is there a moment before that. */
    boolean hasDaemon() {
        var address = UnixDomainSocketAddress.of(socketDirectory().resolve("daemon.sock"));
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            return channel.connect(address);
        } catch (IOException e) {
            return false;
        }
    }

    /** The arguments of the calls that servers have executed, in order. */
    List<String> executedCalls() {
        return lines("calls");
    }

    /** The processes of the server so far. */
    List<Long> serverPids() {
        return lines("pids").stream().map(Long::parseLong).toList();
    }

    private List<String> lines(String name) {
        Path file = installation.folder().resolve(name);
        try {
            return Files.exists(file) ? Files.readAllLines(file) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until no process of the server is left. */
    void assertNoServerLeft() {
        assertThat(Await.becomesTrue(() -> serverPids().stream().noneMatch(this::isServer)))
                .as("Left of %s", serverPids())
                .isTrue();
    }

    /** Numbers of processes may be used again. */
    private boolean isServer(long pid) {
        return ProcessInspector.isAlive(pid)
                && ProcessHandle.of(pid)
                        .flatMap(process -> process.info().arguments())
                        .map(words -> String.join(" ", words))
                        .orElse("")
                        .contains(installation.folder().toString());
    }

    @Override
    public void close() {
        if (hasDaemon()) {
            long pid = pid();
            ask("{\"patchbay\":1,\"request\":\"stop\"}");
            assertThat(Await.becomesTrue(() -> !ProcessInspector.isAlive(pid))).isTrue();
        }
        assertNoServerLeft();
    }
}
