package dev.patchbay.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The door of the program as it is started without a word about security: loopback only, a token,
 * no web page from elsewhere, and no harm done by those who come in slowly. What is refused reaches
 * no server.
 */
class HttpAccessControlTest {
    private static final long MEMORY_GROWTH_BYTES_MAX = 96L << 20;

    @TempDir private static Path folder;
    private static ServeProcess gateway;

    @BeforeAll
    static void open() throws IOException {
        Path first = Files.createDirectory(folder.resolve("first"));
        ServerScript script = ServerScript.named("s", first).tools("echo");
        gateway = ServeProcess.start(first, script, "");
        gateway.awaitTool("s.echo");
    }

    @AfterAll
    static void close() {
        gateway.close();
    }

    private static int calls() {
        return gateway.script().recording().callArguments("echo").size();
    }

    private static byte[] call() {
        return ServeProcess.call("1", "s.echo", "{}").getBytes(StandardCharsets.UTF_8);
    }

    private static void assertRevealsNothing(RawHttpConnection.Response reply) {
        assertThat(reply.header("Mcp-Session-Id")).isEmpty();
        assertThat(reply.head().headerLines())
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control"));
    }

    /** Threat A4. */
    @Test
    void listensOnLoopbackOnly() throws Exception {
        for (InetAddress other : addresses()) {
            var address = new InetSocketAddress(other, gateway.address().getPort());
            try (var socket = new Socket()) {
                socket.connect(address, 2_000);
                throw new AssertionError("It listens on " + other);
            } catch (ConnectException _) {
                // Nobody listens there.
            }
        }
    }

    private static List<InetAddress> addresses() throws IOException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0:0", "[::]:0"})
    void otherAddressesRequireAToken(String listen) throws Exception {
        Path other = Files.createTempDirectory(folder, "open");
        Process process =
                ServeProcess.launch(
                        other.resolve("log"), "\"http\": {\"auth\": \"none\"}", "", listen);
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(2);
            assertThat(Files.readString(other.resolve("log"))).contains("token");
        } finally {
            process.destroyForcibly();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"X: y", "Authorization: Bearer guess", "Authorization: Basic eDp5"})
    void requestsWithoutTheTokenAreRejected(String line) throws Exception {
        int before = calls();
        List<String> headers = new ArrayList<>(gateway.headers(line));
        headers.removeIf(it -> it.endsWith(String.valueOf(gateway.token())));
        RawHttpConnection.Response reply =
                gateway.send(RawHttpConnection.postRequest("/mcp", headers, call()));
        assertThat(reply.status()).isEqualTo(401);
        assertThat(reply.header("WWW-Authenticate").orElseThrow()).startsWith("Bearer");
        assertRevealsNothing(reply);
        assertThat(calls()).isEqualTo(before);
    }

    @Test
    void tokenFileIsReadableByItsOwnerOnly() throws Exception {
        try (var files = Files.walk(folder.resolve("first"))) {
            Path file = files.filter(it -> it.endsWith("token")).findFirst().orElseThrow();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(file).strip()).isEqualTo(gateway.token());
        }
    }

    /** The log of calls is in memory: what was sent and answered is in no file of the gateway's. */
    @Test
    void callContentsAreNotWrittenToFiles() throws Exception {
        String mark = "mark-of-a-call";
        byte[] call = gateway.modernCall("1", "s.echo", "{\"a\":\"" + mark + "\"}");
        assertThat(gateway.send(call).body()).contains(mark);
        Files.walkFileTree(folder, new Search(mark));
    }

    /** Finds a text in no file; those that come and go meanwhile are passed over. */
    private static final class Search extends SimpleFileVisitor<Path> {
        private final String mark;

        Search(String mark) {
            this.mark = mark;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            if (attributes.isRegularFile() && !file.toString().endsWith(".traffic")) {
                assertThat(textOf(file)).as("%s", file).doesNotContain(mark);
            }
            return FileVisitResult.CONTINUE; // the traffic is the server's
        }

        private static String textOf(Path file) throws IOException {
            try {
                return Files.readString(file, StandardCharsets.ISO_8859_1);
            } catch (NoSuchFileException _) {
                return "";
            }
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }
    }

    /** Threats A1 and A2. */
    @Test
    void foreignOriginsAreForbidden() throws Exception {
        int port = gateway.address().getPort();
        int before = calls();
        for (String host :
                List.of(
                        "127.0.0.1:" + port,
                        "evil.com",
                        "127.0.0.1.evil.com",
                        "localhost.evil.com",
                        "localhost:" + port + "@evil.com")) {
            for (String origin :
                    List.of(
                            "",
                            "null",
                            "http://evil.com",
                            "http://localhost.evil.com:" + port,
                            "https://127.0.0.1:" + port)) {
                if (origin.isEmpty() && host.startsWith("127.0.0.1:")) {
                    continue; // that one is right
                }
                for (String method : List.of("POST", "GET", "OPTIONS")) {
                    RawHttpConnection.Response reply = sendFromOrigin(method, host, origin);
                    assertThat(reply.status()).as("%s %s %s", method, host, origin).isIn(400, 403);
                    assertRevealsNothing(reply);
                }
            }
        }
        assertThat(calls()).isEqualTo(before);
    }

    @Test
    void configuredHostsAndOriginsAreAllowed() throws Exception {
        Path other = Files.createTempDirectory(folder, "named");
        ServerScript script = ServerScript.named("s", other).tools("echo");
        String http =
                "\"http\": {\"allowedHosts\": [\"gateway.local\"],"
                        + " \"allowedOrigins\": [\"https://page.example\"]}";
        try (ServeProcess named = ServeProcess.start(other, script, http)) {
            List<String> headers = new ArrayList<>(named.headers("Origin: https://page.example"));
            String greeting =
                    ClientMessages.request(
                            "0", "initialize", ClientMessages.initializeParams("2025-06-18"));
            for (String host : List.of("gateway.local", "other.local")) {
                headers.set(0, "Host: " + host);
                RawHttpConnection.Response reply =
                        named.send(RawHttpConnection.postRequest("/mcp", headers, greeting));
                assertThat(reply.status()).isEqualTo(host.equals("gateway.local") ? 200 : 403);
                assertThat(reply.head().headerLines())
                        .noneMatch(it -> it.toLowerCase(Locale.ROOT).startsWith("access-control"));
            }
        }
    }

    @Test
    void ipv6AddressIsPrintedInBrackets() throws Exception {
        Path log = Files.createTempDirectory(folder, "six").resolve("log");
        Process process = ServeProcess.launch(log, "", "", "[::1]:0");
        try {
            ServeProcess.await("it serves", () -> output(log).contains("http://[::1]:"));
        } finally {
            process.destroyForcibly();
        }
    }

    private static String output(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException _) {
            return "";
        }
    }

    private static RawHttpConnection.Response sendFromOrigin(
            String method, String host, String origin) throws IOException {
        List<String> headers = new ArrayList<>(gateway.headers());
        headers.set(0, "Host: " + host);
        if (!origin.isEmpty()) {
            headers.add("Origin: " + origin);
        }
        byte[] request =
                RawHttpConnection.postRequest(
                        "/mcp", headers, method.equals("POST") ? call() : new byte[0]);
        String text = new String(request, StandardCharsets.UTF_8);
        return gateway.send(text.replaceFirst("POST", method).getBytes(StandardCharsets.UTF_8));
    }

    /** Threat A3: what a form on a page can send without asking first. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Type: text/plain",
                "Content-Type: application/x-www-form-urlencoded",
                "Content-Type: multipart/form-data; boundary=x",
                "Content-Type: text/plain; application/json",
                "X-None: x",
            })
    void formContentTypesAreRejected(String type) throws Exception {
        int before = calls();
        List<String> headers = new ArrayList<>(gateway.headers(type));
        headers.remove("Content-Type: application/json");
        RawHttpConnection.Response reply =
                gateway.send(RawHttpConnection.postRequest("/mcp", headers, call()));
        assertThat(reply.status()).isEqualTo(415);
        assertThat(calls()).isEqualTo(before);
    }

    /** Threat A6: what is behind a request whose length can be read in two ways is not served. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 0\r\nTransfer-Encoding: chunked",
                "Content-Length: 0\r\nContent-Length: 5",
                "Content-Length: +0",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: xchunked",
                "X-Folded: a\r\n b",
                "X Bad: y",
                "X-Bad : y",
            })
    void requestWithAmbiguousLengthIsRejected(String lines) throws Exception {
        int before = calls();
        try (RawHttpConnection client = gateway.connect()) {
            String start =
                    "POST /mcp HTTP/1.1\r\n"
                            + String.join("\r\n", gateway.headers())
                            + "\r\n"
                            + lines
                            + "\r\n\r\n";
            client.send(start);
            client.send(gateway.modernCall("7", "s.echo", "{}"));
            assertThat(client.readResponse().status()).isIn(400, 411, 501);
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(calls()).isEqualTo(before);
    }

    /** Threat A7. */
    @Test
    void slowClientsDoNotDelayOthers() throws Exception {
        String session = gateway.openSession();
        long memory = gateway.residentBytes();
        var slow = new ArrayList<RawHttpConnection>();
        try {
            for (int i = 0; i < 300; i++) {
                slow.add(gateway.connect().send("POST /mcp HT"));
            }
            for (int i = 0; i < 300; i++) {
                slow.add(gateway.connect().send(listen(i)));
            }
            assertServesQuickly(session);
            assertThat(gateway.residentBytes() - memory).isLessThan(MEMORY_GROWTH_BYTES_MAX);
        } finally {
            for (RawHttpConnection client : slow) {
                client.close();
            }
        }
    }

    private static byte[] listen(int id) {
        String params =
                ClientMessages.modernParams("{\"notifications\":{\"toolsListChanged\":true}}");
        return gateway.postRequest(
                ClientMessages.request(Integer.toString(id), "subscriptions/listen", params),
                "MCP-Protocol-Version: 2026-07-28",
                "Mcp-Method: subscriptions/listen");
    }

    private static void assertServesQuickly(String session) throws IOException {
        Duration best = Duration.ofDays(1);
        for (int i = 0; i < 5; i++) {
            var watch = Stopwatch.start();
            RawHttpConnection.Response reply =
                    gateway.send(
                            gateway.postRequest(ServeProcess.call("1", "s.echo", "{}"), session));
            assertThat(reply.body()).contains("\"content\"");
            Duration took = watch.activeTime();
            best = took.compareTo(best) < 0 ? took : best;
        }
        assertThat(best).isLessThan(Duration.ofSeconds(1));
    }
}
