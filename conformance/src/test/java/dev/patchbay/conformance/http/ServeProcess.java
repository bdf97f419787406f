package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code patchbay serve} on a port of its own, with one scripted server, {@code s}. Its closing
 * proves that it ends well and leaves no process.
 */
final class ServeProcess implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** What its legacy clients speak. */
    private static final String VERSION = "2025-06-18";

    private static final Pattern URL = Pattern.compile("http://([^:/]+):(\\d+)/mcp");
    private static final Pattern TOKEN = Pattern.compile("The token is in (\\S+)");
    private static final long POLL_NANOS = 10_000_000;

    private final Process process;
    private final Path log;
    private final ServerScript script;
    private final InetSocketAddress address;
    private final @Nullable String token;
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();

    private ServeProcess(Process process, Path log, ServerScript script, boolean open) {
        this.process = process;
        this.log = log;
        this.script = script;
        Pattern last = open ? URL : TOKEN;
        await("it serves", () -> !process.isAlive() || last.matcher(output()).find());
        Matcher url = URL.matcher(output());
        assertThat(url.find()).as(output()).isTrue();
        this.address = new InetSocketAddress(url.group(1), Integer.parseInt(url.group(2)));
        Matcher tokenFile = TOKEN.matcher(output());
        this.token = tokenFile.find() ? readToken(tokenFile.group(1)) : null;
    }

    private static String readToken(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it without a token, with a server that has these tools. */
    static ServeProcess startWithoutToken(Path folder, String... tools) throws IOException {
        ServerScript script = ServerScript.named("s", folder).tools(tools);
        return start(folder, script, "\"http\": {\"auth\": \"none\"}");
    }

    /** Starts it with these settings of its own. */
    static ServeProcess start(Path folder, ServerScript script, String settings)
            throws IOException {
        return start(folder, script, settings, "\"s\": " + script.config());
    }

    /** The same with servers of any kind. */
    static ServeProcess start(Path folder, ServerScript script, String settings, String servers)
            throws IOException {
        Path log = folder.resolve("serve.log");
        Process process = launch(log, settings, servers, "127.0.0.1:0");
        try {
            return new ServeProcess(process, log, script, settings.contains("none"));
        } catch (AssertionError e) {
            process.destroyForcibly();
            throw e;
        }
    }

    /** Starts the program; it may refuse. What it says goes to a file, beside which it runs. */
    static Process launch(Path log, String settings, String servers, String listen)
            throws IOException {
        Path folder = log.getParent();
        Path file = folder.resolve("patchbay.json");
        Files.writeString(
                file, "{\"patchbay\": {%s}, \"mcpServers\": {%s}}".formatted(settings, servers));
        PackagedProgram program =
                PackagedProgram.find()
                        .orElseThrow(() -> new AssertionError(PackagedProgram.MISSING));
        var builder =
                new ProcessBuilder(
                        program.launcherCommand(
                                "serve", "--config", file + "", "--listen", listen));
        builder.redirectErrorStream(true).redirectOutput(log.toFile()).directory(folder.toFile());
        var environment = builder.environment();
        environment.clear();
        environment.put("PATH", System.getenv("PATH"));
        environment.put("HOME", folder.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    ServerScript script() {
        return script;
    }

    InetSocketAddress address() {
        return address;
    }

    /** The token that it wants; null if it wants none. */
    @Nullable String token() {
        return token;
    }

    Process process() {
        return process;
    }

    /** All that it said so far. */
    String output() {
        try {
            return Files.readString(log);
        } catch (IOException _) {
            return "";
        }
    }

    long residentBytes() {
        return ProcessInspector.residentBytes(process.pid());
    }

    RawHttpConnection connect() throws IOException {
        return RawHttpConnection.connect(address, TIMEOUT).withListener(new SchemaListener());
    }

    /** One connection, whose messages must all fit the schema of the version. */
    private final class SchemaListener implements RawHttpConnection.TrafficListener {
        private final SchemaCheck schema = SchemaCheck.ofClient(VERSION);

        @Override
        public void sent(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            schema.recordToGateway(text.substring(text.indexOf("\r\n\r\n") + 1));
        }

        @Override
        public void received(String json) {
            schema.checkFromGateway(json);
            violations.addAll(schema.violations());
        }
    }

    /** The headers of a good request, and these. */
    List<String> headers(String... more) {
        var lines = new ArrayList<>(List.of("Host: 127.0.0.1:" + address.getPort()));
        if (token != null) {
            lines.add("Authorization: Bearer " + token);
        }
        lines.add("Content-Type: application/json");
        lines.add("Accept: application/json, text/event-stream");
        lines.addAll(List.of(more));
        return lines;
    }

    byte[] postRequest(String body, String... more) {
        return RawHttpConnection.postRequest("/mcp", headers(more), body);
    }

    /** A request without a body. */
    String requestWithoutBody(String method, String... more) {
        return method + " /mcp HTTP/1.1\r\n" + String.join("\r\n", headers(more)) + "\r\n\r\n";
    }

    RawHttpConnection.Response send(byte[] request) throws IOException {
        try (RawHttpConnection client = connect()) {
            return client.send(request).readResponse();
        }
    }

    /** A modern call of a tool. */
    byte[] modernCall(String id, String tool, String arguments) {
        return postRequest(
                ClientMessages.request(
                        id,
                        "tools/call",
                        ClientMessages.modernParams(ClientMessages.callParams(tool, arguments))),
                "MCP-Protocol-Version: 2026-07-28",
                "Mcp-Method: tools/call",
                "Mcp-Name: " + tool);
    }

    static String call(String id, String tool, String arguments) {
        return ClientMessages.request(id, "tools/call", ClientMessages.callParams(tool, arguments));
    }

    /** Opens a legacy session; the header that names it. */
    String openSession() throws IOException {
        String greeting =
                ClientMessages.request("0", "initialize", ClientMessages.initializeParams(VERSION));
        RawHttpConnection.Response reply = send(postRequest(greeting));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        String line = "Mcp-Session-Id: " + reply.header("Mcp-Session-Id").orElseThrow();
        String ready = ClientMessages.notification("notifications/initialized", "");
        assertThat(send(postRequest(ready, line)).status()).isEqualTo(202);
        return line;
    }

    /** Waits until a tool of the server can be called. */
    ServeProcess awaitTool(String tool) {
        await(
                tool + " can be called",
                () -> {
                    try {
                        return send(modernCall("1", tool, "{}")).body().contains("\"content\"");
                    } catch (IOException _) {
                        return false;
                    }
                });
        return this;
    }

    static void await(String what, BooleanSupplier wanted) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!wanted.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public void close() {
        List<Long> below = process.descendants().map(ProcessHandle::pid).toList();
        process.destroy();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as(output()).isTrue();
            assertThat(process.exitValue()).as(output()).isZero();
            await("nothing is left", () -> below.stream().noneMatch(ProcessInspector::isAlive));
            assertThat(script.recording().violations()).isEmpty();
            assertThat(SchemaCheck.violations(script.recording())).isEmpty();
            assertThat(violations).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
