package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Processes;
import dev.patchbay.testkit.Program;
import dev.patchbay.testkit.RawHttp;
import dev.patchbay.testkit.ServerScript;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
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
final class Served implements AutoCloseable {
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** What its legacy clients speak. */
    private static final String VERSION = "2025-06-18";

    private static final Pattern URL = Pattern.compile("http://([^:/]+):(\\d+)/mcp");
    private static final Pattern TOKEN = Pattern.compile("Authorization: Bearer (\\S+)");
    private static final long LOOK_NANOS = 10_000_000;

    private final Process process;
    private final Path log;
    private final ServerScript script;
    private final InetSocketAddress address;
    private final @Nullable String token;
    private final Queue<String> faults = new ConcurrentLinkedQueue<>();

    private Served(Process process, Path log, ServerScript script, boolean open) {
        this.process = process;
        this.log = log;
        this.script = script;
        Pattern last = open ? URL : TOKEN;
        await("it serves", () -> !process.isAlive() || last.matcher(said()).find());
        Matcher url = URL.matcher(said());
        assertThat(url.find()).as(said()).isTrue();
        this.address = new InetSocketAddress(url.group(1), Integer.parseInt(url.group(2)));
        Matcher bearer = TOKEN.matcher(said());
        this.token = bearer.find() ? bearer.group(1) : null;
    }

    /** Starts it without a token, with a server that has these tools. */
    static Served open(Path folder, String... tools) throws IOException {
        ServerScript script = ServerScript.named("s", folder).tools(tools);
        return start(folder, script, "\"http\": {\"auth\": \"none\"}");
    }

    /** Starts it with these settings of its own. */
    static Served start(Path folder, ServerScript script, String settings) throws IOException {
        return start(folder, script, settings, "\"s\": " + script.config());
    }

    /** The same with servers of any kind. */
    static Served start(Path folder, ServerScript script, String settings, String servers)
            throws IOException {
        Path log = folder.resolve("serve.log");
        Process process = launch(log, settings, servers, "127.0.0.1:0");
        try {
            return new Served(process, log, script, settings.contains("none"));
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
        Program program = Program.find().orElseThrow(() -> new AssertionError(Program.MISSING));
        var builder =
                new ProcessBuilder(
                        program.launcher("serve", "--config", file + "", "--listen", listen));
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
    String said() {
        try {
            return Files.readString(log);
        } catch (IOException _) {
            return "";
        }
    }

    long residentBytes() {
        return Processes.residentBytes(process.pid());
    }

    RawHttp connect() throws IOException {
        return RawHttp.connect(address, PATIENCE).watchedBy(new Reader());
    }

    /** One connection, whose messages must all fit the schema of the version. */
    private final class Reader implements RawHttp.Watcher {
        private final SchemaCheck schema = SchemaCheck.ofClient(VERSION);

        @Override
        public void sent(byte[] bytes) {
            String text = new String(bytes, StandardCharsets.UTF_8);
            schema.heard(text.substring(text.indexOf("\r\n\r\n") + 1));
        }

        @Override
        public void received(String json) {
            schema.said(json);
            faults.addAll(schema.faults());
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

    byte[] post(String body, String... more) {
        return RawHttp.post("/mcp", headers(more), body);
    }

    /** A request without a body. */
    String bare(String method, String... more) {
        return method + " /mcp HTTP/1.1\r\n" + String.join("\r\n", headers(more)) + "\r\n\r\n";
    }

    RawHttp.Reply ask(byte[] request) throws IOException {
        try (RawHttp client = connect()) {
            return client.send(request).reply();
        }
    }

    /** A modern call of a tool. */
    byte[] modernCall(String id, String tool, String arguments) {
        return post(
                Messages.request(
                        id,
                        "tools/call",
                        Messages.modernParams(Messages.callParams(tool, arguments))),
                "MCP-Protocol-Version: 2026-07-28",
                "Mcp-Method: tools/call",
                "Mcp-Name: " + tool);
    }

    static String call(String id, String tool, String arguments) {
        return Messages.request(id, "tools/call", Messages.callParams(tool, arguments));
    }

    /** Opens a legacy session; the header that names it. */
    String session() throws IOException {
        String greeting = Messages.request("0", "initialize", Messages.initializeParams(VERSION));
        RawHttp.Reply reply = ask(post(greeting));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        String line = "Mcp-Session-Id: " + reply.header("Mcp-Session-Id").orElseThrow();
        String ready = Messages.notification("notifications/initialized", "");
        assertThat(ask(post(ready, line)).status()).isEqualTo(202);
        return line;
    }

    /** Waits until a tool of the server can be called. */
    Served awaitTool(String tool) {
        await(
                tool + " can be called",
                () -> {
                    try {
                        return ask(modernCall("1", tool, "{}")).body().contains("\"content\"");
                    } catch (IOException _) {
                        return false;
                    }
                });
        return this;
    }

    static void await(String what, BooleanSupplier wanted) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!wanted.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        List<Long> below = process.descendants().map(ProcessHandle::pid).toList();
        process.destroy();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).as(said()).isTrue();
            assertThat(process.exitValue()).as(said()).isZero();
            await("nothing is left", () -> below.stream().noneMatch(Processes::alive));
            assertThat(script.record().violations()).isEmpty();
            assertThat(SchemaCheck.faults(script.record())).isEmpty();
            assertThat(faults).isEmpty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
