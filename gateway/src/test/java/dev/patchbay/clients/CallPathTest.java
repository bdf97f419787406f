package dev.patchbay.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.embedding.StdioTransportFactory;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.TransportFactory;
import dev.patchbay.stdio.LineChannel;
import dev.patchbay.stdio.LineWriter;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * The classes that a tool call crosses, as the page about the architecture lists them. The stack of
 * the thread that sends shows them, and shows that no other thread takes part.
 */
class CallPathTest {
    private static final Path PAGE = Path.of("../docs/ARCHITECTURE.md");
    private static final int CLASSES_MAX = 14;

    @TempDir private Path folder;

    private final BlockingQueue<List<String>> requestPaths = new LinkedBlockingQueue<>();
    private final BlockingQueue<List<String>> responsePaths = new LinkedBlockingQueue<>();

    @Test
    void callCrossesTheListedClassesOnOneThread() throws Exception {
        try (var reaper = new ProcessReaper();
                Gateway gateway = open(reaper)) {
            call(gateway);
        }
        List<String> request = path(requestPaths);
        List<String> response = path(responsePaths);
        assertThat(request).hasSizeLessThanOrEqualTo(CLASSES_MAX).isEqualTo(listed("request"));
        assertThat(response).hasSizeLessThanOrEqualTo(CLASSES_MAX).isEqualTo(listed("response"));
    }

    private static List<String> path(BlockingQueue<List<String>> paths)
            throws InterruptedException {
        List<String> path = paths.poll(30, TimeUnit.SECONDS);
        assertThat(path).as("a call within 30 s").isNotNull();
        return path;
    }

    /** The classes of a line such as {@code request: `A` → `B`}. */
    private static List<String> listed(String direction) throws IOException {
        String line =
                Files.readAllLines(PAGE).stream()
                        .filter(it -> it.startsWith(direction + ": "))
                        .findFirst()
                        .orElseThrow();
        return Pattern.compile("`(\\w+)`").matcher(line).results().map(it -> it.group(1)).toList();
    }

    private Gateway open(ProcessReaper reaper) throws InterruptedException {
        var stdio = new StdioTransportFactory(reaper);
        TransportFactory recording =
                spec -> {
                    TransportFactory.TransportConnection opened = stdio.open(spec);
                    return new RecordedConnection(opened, requestPaths);
                };
        Gateway gateway = Gateway.open(GatewaySettings.DEFAULTS, recording, InstantSource.system());
        List<String> words = ServerScript.named("a", folder).tools("echo").command();
        gateway.register(
                new ServerSpec(
                        new ServerId("a"),
                        new Transport.Stdio(
                                words.getFirst(), words.subList(1, words.size()), Map.of(), null),
                        Options.DEFAULTS));
        gateway.discover(DiscoveryRequest.ALL);
        return gateway;
    }

    /** Calls a tool twice: the first call compiles the schema on a thread of its own. */
    private void call(Gateway gateway) throws Exception {
        Pipe stdin = Pipe.open();
        OutputStream input = Channels.newOutputStream(stdin.sink());
        var writer = LineWriter.withSenderWrites(new ByteArrayOutputStream(), 1 << 20);
        var channel =
                new LineChannel(Channels.newInputStream(stdin.source()), writer, 1 << 20, 1 << 20);
        var connection =
                ClientHandler.connect(
                        new GatewayService(gateway),
                        new RecordedChannel(channel, responsePaths),
                        8);
        Thread reader = Thread.ofPlatform().start(() -> run(connection));
        send(
                input,
                """
                {"jsonrpc":"2.0","id":0,"method":"initialize","params":{\
                "protocolVersion":"2025-06-18","capabilities":{},\
                "clientInfo":{"name":"mcp-inspector","version":"1"}}}\
                """);
        String call =
                """
                {"jsonrpc":"2.0","id":%d,"method":"tools/call",\
                "params":{"name":"a.echo","arguments":{}}}\
                """;
        send(input, call.formatted(1));
        path(responsePaths);
        requestPaths.clear();
        send(input, call.formatted(2));
        responsePaths.add(path(responsePaths)); // keeps it for the test
        input.close();
        reader.join();
    }

    private static void run(Connection connection) {
        try {
            connection.run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static void send(OutputStream input, String line) throws IOException {
        input.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        input.flush();
    }

    /** Records the stack of each thread that sends a call or its answer. */
    private record RecordedChannel(Channel channel, BlockingQueue<List<String>> paths)
            implements Channel {
        private void record(EncodedJson frame) {
            String text = frame.toJson().toString();
            if (text.contains("tools/call") || text.contains("\"content\"")) {
                List<String> classes =
                        StackWalker.getInstance()
                                .walk(
                                        frames ->
                                                frames.map(StackWalker.StackFrame::getClassName)
                                                        .filter(RecordedChannel::isOurs)
                                                        .map(RecordedChannel::simpleName)
                                                        .toList());
                var path = new ArrayList<>(classes);
                Collections.reverse(path);
                path.subList(0, path.indexOf("LineReader")).clear(); // the reading loop itself
                path.add(channel.getClass().getSimpleName());
                path.add("LineWriter"); // both channels write lines
                paths.add(List.copyOf(new LinkedHashSet<>(path)));
            }
        }

        private static boolean isOurs(String name) {
            return name.startsWith("dev.patchbay.") && !name.contains("CallPathTest");
        }

        private static String simpleName(String name) {
            return name.replaceAll("\\$.*", "").replaceAll(".*\\.", "");
        }

        @Override
        public void receive(Receiver receiver) throws IOException {
            channel.receive(receiver);
        }

        @Override
        public void send(EncodedJson frame) throws IOException {
            record(frame);
            channel.send(frame);
        }

        @Override
        public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
            record(frame);
            return channel.trySend(frame, patience);
        }

        @Override
        public long sentBytes() {
            return channel.sentBytes();
        }

        @Override
        public void acknowledgeRead(long bytes) {
            channel.acknowledgeRead(bytes);
        }

        @Override
        public boolean unblockWriter() {
            return channel.unblockWriter();
        }

        @Override
        public int frameBytesMax() {
            return channel.frameBytesMax();
        }

        @Override
        public void close() {
            channel.close();
        }
    }

    /** A connection whose channel is recorded. */
    private record RecordedConnection(
            TransportFactory.TransportConnection connection, BlockingQueue<List<String>> paths)
            implements TransportFactory.TransportConnection {
        @Override
        public Channel channel() {
            return new RecordedChannel(connection.channel(), paths);
        }

        @Override
        public String closeReason() {
            return connection.closeReason();
        }

        @Override
        public void abort(String reason) {
            connection.abort(reason);
        }

        @Override
        public boolean awaitEnd(Duration patience) throws InterruptedException {
            return connection.awaitEnd(patience);
        }
    }
}
