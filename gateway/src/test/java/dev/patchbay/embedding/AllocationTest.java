package dev.patchbay.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;

import dev.patchbay.clients.ClientHandler;
import dev.patchbay.clients.GatewayService;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.stdio.LineChannel;
import dev.patchbay.stdio.LineWriter;
import dev.patchbay.stdio.ProcessReaper;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What a call that is passed on, and a list, leave to the garbage collector. */
@Tag("slow")
class AllocationTest {
    /** About 6,600 were seen, with the buffers of the lines as the larger part. */
    private static final long CALL_BYTES_MAX = 8_000;

    private static final int TOOLS = 1_000;

    /** About 4,000 were seen. */
    private static final long LIST_BYTES_MAX = 10_000;

    private static final int CALLS_TOGETHER = 64;
    private static final int WARMUP_ROUNDS = 100;
    private static final int ROUNDS = 30;
    private static final int SAMPLES_MAX = 20;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir private Path folder;

    private final ProcessReaper processReaper = new ProcessReaper();
    private final byte[] answers = new byte[1 << 16];
    private Gateway gateway;
    private OutputStream out;
    private InputStream in;

    @BeforeEach
    void connect() throws Exception {
        gateway =
                Gateway.open(
                        GatewaySettings.DEFAULTS,
                        new StdioTransportFactory(processReaper),
                        InstantSource.system());
        List<String> words = ServerScript.named("s", folder).tools(tools()).command();
        gateway.register(
                new ServerSpec(
                        new ServerId("s"),
                        new ServerSpec.Transport.Stdio(
                                words.getFirst(), words.subList(1, words.size()), Map.of(), null),
                        ServerSpec.Options.DEFAULTS));
        gateway.discover(DiscoveryRequest.ALL);
        serve();
        exchange(
                1,
                "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
                        + "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
                        + "\"clientInfo\":{\"name\":\"mcp-inspector\",\"version\":\"1\"}}}\n"
                        + "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
    }

    private void serve() throws IOException {
        Pipe toGateway = Pipe.open();
        Pipe toClient = Pipe.open();
        out = Channels.newOutputStream(toGateway.sink());
        in = Channels.newInputStream(toClient.source());
        var writer =
                LineWriter.withSenderWrites(Channels.newOutputStream(toClient.sink()), 1 << 20);
        var channel =
                new LineChannel(
                        Channels.newInputStream(toGateway.source()), writer, 1 << 20, 1 << 20);
        var connection = ClientHandler.connect(new GatewayService(gateway), channel, 1_024);
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                connection.run();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
    }

    @AfterEach
    void end() throws IOException {
        out.close();
        gateway.close();
        processReaper.close();
    }

    private static String[] tools() {
        String[] tools = new String[TOOLS];
        Arrays.setAll(tools, i -> i == 0 ? "echo" : "echo" + i);
        return tools;
    }

    @Test
    void forwardedCallAllocatesLittle() throws IOException {
        assertThat(allocated(CALLS_TOGETHER, calls(), CALL_BYTES_MAX))
                .isBetween(400L, CALL_BYTES_MAX);
    }

    @Test
    void listOfManyToolsIsNotRebuilt() throws IOException {
        String list = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}\n";
        long length = exchange(1, list);
        assertThat(length).isGreaterThan(5 * LIST_BYTES_MAX);
        assertThat(allocated(1, list.getBytes(StandardCharsets.UTF_8), LIST_BYTES_MAX))
                .isLessThan(LIST_BYTES_MAX);
    }

    /**
     * The bytes that the gateway allocates for each of so many lines sent together. What else goes
     * on in the JVM can only add to a sample, and compilation, which comes late on a busy machine,
     * only take away: the first sample below the bound counts.
     */
    private long allocated(int lines, byte[] text, long bytesMax) throws IOException {
        for (int i = 0; i < WARMUP_ROUNDS; i++) {
            exchange(lines, text);
        }
        long least = Long.MAX_VALUE;
        for (int sample = 0; sample < SAMPLES_MAX && least >= bytesMax; sample++) {
            long before = allocatedByOthers();
            for (int i = 0; i < ROUNDS; i++) {
                exchange(lines, text);
            }
            least = Math.min(least, (allocatedByOthers() - before) / ((long) ROUNDS * lines));
        }
        return least;
    }

    /** What all threads but this one, which plays the client, have allocated so far. */
    private static long allocatedByOthers() {
        return THREADS.getTotalThreadAllocatedBytes() - THREADS.getCurrentThreadAllocatedBytes();
    }

    private static byte[] calls() {
        var lines = new StringBuilder();
        for (int id = 1; id <= CALLS_TOGETHER; id++) {
            lines.append("{\"jsonrpc\":\"2.0\",\"id\":")
                    .append(id)
                    .append(",\"method\":\"tools/call\",\"params\":{\"name\":\"s.echo\",")
                    .append("\"arguments\":{\"text\":\"")
                    .append("x".repeat(200))
                    .append("\"}}}\n");
        }
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    private long exchange(int lines, String text) throws IOException {
        return exchange(lines, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Sends lines, and reads until as many have come back; how many bytes those were. */
    private long exchange(int lines, byte[] text) throws IOException {
        out.write(text);
        long bytes = 0;
        int left = lines;
        while (left > 0) {
            int count = in.read(answers);
            assertThat(count).as("bytes that came").isPositive();
            bytes += count;
            for (int i = 0; i < count; i++) {
                left -= answers[i] == '\n' ? 1 : 0;
            }
        }
        return bytes;
    }
}
