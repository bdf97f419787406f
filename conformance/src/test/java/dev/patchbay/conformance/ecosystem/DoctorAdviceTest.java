package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.PushbackInputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Common mistakes, and the exact next step that the doctor advises. */
class DoctorAdviceTest {
    private static final String SHORT_CONNECT_TIMEOUT = ", \"connectionTimeoutMs\": 3000";

    /** Each mistake: its reason, a part of the evidence, a part of the next step. */
    private static final String MISTAKES =
            """
            line       | COMMAND_MISSING  | contains spaces          | "command": "npx"
            tilde      | COMMAND_MISSING  | by a shell               | ${HOME}/bin/server
            folder     | COMMAND_MISSING  | is a folder              | a program in it
            nvm        | COMMAND_MISSING  | v22.1.0/bin/onlynvm      | "PATH":
            pyenv      | COMMAND_MISSING  | .pyenv/shims/onlypyenv   | "command":
            link       | COMMAND_MISSING  | link to /no/such/python  | python3 -m venv
            venv       | COMMAND_MISSING  | .venv/bin/python         | python3 -m venv
            path       | COMMAND_MISSING  | /no/such/tool            | Correct the path
            loader     | HANGS_AT_CONNECT | no response              | npx downloads the package
            nomodule   | EXITS_AT_ONCE    | No module named          | virtual environment
            nopackage  | EXITS_AT_ONCE    | Cannot find module       | npm install
            offline    | EXITS_AT_ONCE    | EAI_AGAIN                | HTTPS_PROXY
            misspelt   | EXITS_AT_ONCE    | E404                     | name of the package
            variable   | EXITS_AT_ONCE    | API_TOKEN                | Add API_TOKEN under
            died       | EXITS_AT_ONCE    | Super Server             | by hand
            plain      | TLS_FAILED       | CN=ward.example          | https://
            refusing   | TLS_FAILED       | CN=ward.example          | https://
            secure     | TLS_FAILED       | TLS handshake            | write http://
            sshtls     | TLS_FAILED       | SSL message              | write http://
            ssh        | NOT_MCP          | SSH-2.0                  | port
            expired    | UNAUTHORIZED     | token expired            | expired
            ownclient  | UNAUTHORIZED     | invalid_client           | Correct clientId
            authority  | NOT_CONNECTED    | could not be renewed     | debug
            """;

    @TempDir private static Path folder;

    private static final List<AutoCloseable> OPEN_RESOURCES = new ArrayList<>();

    private static List<JsonTree> findings;
    private static TestInstallation.CommandResult outcome;

    @BeforeAll
    static void runDoctor() throws Exception {
        var installation = new TestInstallation(folder);
        addWrongCommands(installation);
        addServersWithStderrHints(installation);
        addWrongUrls(installation);
        addWrongClientCredentials(installation);
        outcome = installation.save().run("doctor", "--json");
        findings = StrictJson.parse(outcome.out()).at("findings").asList();
    }

    @AfterAll
    static void close() throws Exception {
        for (AutoCloseable each : OPEN_RESOURCES) {
            each.close();
        }
    }

    private static void addWrongCommands(TestInstallation installation) throws IOException {
        installation.withServer(
                "line", commandEntry("npx -y @modelcontextprotocol/server-filesystem /srv"));
        installation.withServer("tilde", commandEntry("~/bin/server"));
        installation.withServer("folder", commandEntry(folder.toString()));
        Path node = folder.resolve(".nvm", "versions", "node", "v22.1.0", "bin");
        writeProgram(Files.createDirectories(node).resolve("onlynvm"), "exit 0");
        installation.withServer("nvm", commandEntry("onlynvm"));
        Path shims = Files.createDirectories(folder.resolve(".pyenv", "shims"));
        writeProgram(shims.resolve("onlypyenv"), "exit 0");
        installation.withServer("pyenv", commandEntry("onlypyenv"));
        Path bin = Files.createDirectories(folder.resolve("old", "bin"));
        Files.writeString(folder.resolve("old", "pyvenv.cfg"), "home = /no/such\n");
        Files.createSymbolicLink(bin.resolve("python"), Path.of("/no/such/python3.9"));
        installation.withServer("link", commandEntry(bin.resolve("python").toString()));
        installation.withServer("venv", commandEntry("/srv/tool/.venv/bin/python"));
        installation.withServer("path", commandEntry("/no/such/tool"));
        Path npx = writeProgram(folder.resolve("npx"), "exec sleep 60");
        installation.withServer("loader", commandEntry(npx.toString(), SHORT_CONNECT_TIMEOUT));
    }

    private static void addServersWithStderrHints(TestInstallation installation) {
        addDyingServer(installation, "nomodule", "ModuleNotFoundError: No module named 'mcp'");
        addDyingServer(installation, "nopackage", "Error: Cannot find module '/srv/dist/index.js'");
        addDyingServer(installation, "offline", "npm error code EAI_AGAIN");
        addDyingServer(installation, "misspelt", "npm error code E404");
        addDyingServer(
                installation, "variable", "Error: API_TOKEN environment variable is required");
        installation.withServer(
                "died", shellEntry("echo '=== Super Server 3.2 ==='; read line; exit 3"));
    }

    private static void addDyingServer(TestInstallation installation, String id, String words) {
        installation.withServer(id, shellEntry("cat >&2 <<'END'\n" + words + "\nEND\nexit 1"));
    }

    private static void addWrongUrls(TestInstallation installation) throws Exception {
        var web =
                RawHttpServer.start(
                        exchange ->
                                exchange.respond(
                                        401,
                                        "",
                                        "WWW-Authenticate: Bearer error_description=\"The access"
                                                + " token expired\""));
        OPEN_RESOURCES.add(web);
        String headers = ", \"headers\": {\"Authorization\": \"Bearer old-secret\"}";
        installation.withServer(
                "expired", urlEntry("http://127.0.0.1:" + web.port() + "/mcp", headers));
        installation.withServer(
                "secure",
                urlEntry("https://127.0.0.1:" + web.port() + "/mcp", SHORT_CONNECT_TIMEOUT));
        ServerSocket tls = BrokenServers.tlsListener(folder);
        OPEN_RESOURCES.add(tls);
        installation.withServer(
                "plain",
                urlEntry("http://127.0.0.1:" + tls.getLocalPort() + "/mcp", SHORT_CONNECT_TIMEOUT));
        ServerSocket picky =
                startListener(socket -> answerAsTlsWebServer(socket, tls.getLocalPort()));
        installation.withServer(
                "refusing",
                urlEntry(
                        "http://127.0.0.1:" + picky.getLocalPort() + "/mcp",
                        SHORT_CONNECT_TIMEOUT));
        ServerSocket ssh = startListener(DoctorAdviceTest::answerWithGreeting);
        installation.withServer(
                "sshtls",
                urlEntry(
                        "https://127.0.0.1:" + ssh.getLocalPort() + "/mcp", SHORT_CONNECT_TIMEOUT));
        installation.withServer(
                "ssh",
                urlEntry("http://127.0.0.1:" + ssh.getLocalPort() + "/mcp", SHORT_CONNECT_TIMEOUT));
    }

    /** Refused client credentials, and an authorization server that fails. */
    private static void addWrongClientCredentials(TestInstallation installation)
            throws IOException {
        installation.withServer(
                "ownclient", clientCredentialsEntry(401, "{\"error\":\"invalid_client\"}"));
        installation.withServer("authority", clientCredentialsEntry(503, "{}"));
    }

    private static String clientCredentialsEntry(int status, String answer) throws IOException {
        var authorizationServer = new FakeAuthorizationServer();
        OPEN_RESOURCES.add(authorizationServer);
        authorizationServer.on(
                "/token", exchange -> exchange.respond(status, answer, HttpEchoServer.JSON_HEADER));
        return authorizationServer
                .mcpServer()
                .configEntry(
                        "\"oauth\": {\"grant\": \"client_credentials\", \"clientId\": \"me\","
                                + " \"clientSecret\": \"own-secret\"}");
    }

    private interface SocketHandler {
        void handle(Socket socket) throws IOException;
    }

    private static ServerSocket startListener(SocketHandler talk) throws IOException {
        var listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        OPEN_RESOURCES.add(listener);
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!listener.isClosed()) {
                                try (Socket socket = listener.accept()) {
                                    talk.handle(socket);
                                } catch (IOException _) {
                                    // Who came is gone, or the test has ended.
                                }
                            }
                        });
        return listener;
    }

    private static void answerWithGreeting(Socket socket) throws IOException {
        socket.getOutputStream().write("SSH-2.0-OpenSSH_9.2\r\n".getBytes(US_ASCII));
        socket.getInputStream().read();
    }

    /** Behaves as common web servers: answers plain HTTP with an error, and serves TLS. */
    private static void answerAsTlsWebServer(Socket client, int tlsPort) throws IOException {
        var in = new PushbackInputStream(client.getInputStream());
        int first = in.read();
        if (first != 0x16) {
            String text = "The plain HTTP request was sent to HTTPS port";
            client.getOutputStream()
                    .write(
                            ("HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\n"
                                            + "Connection: close\r\nContent-Length: "
                                            + text.length()
                                            + "\r\n\r\n"
                                            + text)
                                    .getBytes(US_ASCII));
            return;
        }
        in.unread(first);
        try (var server = new Socket(InetAddress.getLoopbackAddress(), tlsPort)) {
            Thread.ofVirtual().start(() -> copyBytes(server, client));
            in.transferTo(server.getOutputStream());
        }
    }

    private static void copyBytes(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException _) {
            // One of the two has hung up.
        }
    }

    private static String commandEntry(String command) {
        return commandEntry(command, "");
    }

    private static String commandEntry(String command, String members) {
        return "{\"command\": %s%s}".formatted(StrictJson.quote(command), members);
    }

    private static String shellEntry(String script) {
        return "{\"command\": \"sh\", \"args\": [\"-c\", %s]}".formatted(StrictJson.quote(script));
    }

    private static String urlEntry(String url, String members) {
        return "{\"url\": %s%s}".formatted(StrictJson.quote(url), members);
    }

    private static Path writeProgram(Path file, String script) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + script + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\u0001', textBlock = MISTAKES)
    void advisesTheExactNextStep(String server, String reason, String evidence, String step) {
        List<JsonTree> found =
                findings.stream().filter(it -> it.at("serverId").asText().equals(server)).toList();

        assertThat(found).as(server).hasSize(1);
        JsonTree finding = found.getFirst();
        assertThat(finding.at("reason").asText()).as("%s", finding).isEqualTo(reason);
        assertThat(finding.at("evidence").asList().stream().map(JsonTree::asText))
                .anyMatch(it -> it.contains(evidence));
        assertThat(finding.at("nextStep").asText()).contains(step);
    }

    @Test
    void showsNoSecret() {
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(outcome.out() + outcome.err()).doesNotContain("old-secret", "own-secret");
    }
}
