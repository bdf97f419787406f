package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.RawHttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Twenty secrets in the secret store reach the servers that the configuration gives them to, and
 * nothing else: no file, no process list, no log, no dashboard, no error, also after a kill.
 */
class SecretHandlingTest {
    private static final int SECRETS = 20;
    private static final Pattern URL = Pattern.compile("http://([^:/]+):(\\d+)/mcp");
    private static final Pattern TOKEN = Pattern.compile("The token is in (\\S+)");

    /** Repeats everything that it was given wherever a server can write. */
    private static final String LEAKY_SERVER =
            """
            env | grep '^KEY' >&2
            env | grep '^KEY'
            while IFS= read -r line; do
                id=${line#*'"id":'} id=${id%%[,\\}]*}
                case $line in
                    *'"method":"initialize"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{\
            "protocolVersion":"2025-11-25","capabilities":{"tools":{}},\
            "serverInfo":{"name":"leaky","version":"1"}}}\\n' "$id" ;;
                    *'"method":"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"tools":[\
            {"name":"end","inputSchema":{"type":"object"}},\
            {"name":"sum","inputSchema":{"type":"object"}}]}}\\n' "$id" ;;
                    *'"name":"end"'*) exit 3 ;;
                    *'"name":"sum"'*) printf '{"jsonrpc":"2.0","id":%s,"result":{"content":[\
            {"type":"text","text":"%s"}]}}\\n' "$id" "$(env | grep '^KEY' | sort | cksum)" ;;
                    *'"id":'*) printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,\
            "message":"%s"}}\\n' "$id" "$KEY0" ;;
                esac
            done
            """;

    @TempDir private Path folder;

    /** Stands for the memory of a password manager; not searched. */
    @TempDir private Path vault;

    private final List<String> secrets = new ArrayList<>();
    private final Queue<String> receivedHeaders = new ConcurrentLinkedQueue<>();
    private TestInstallation user;
    private RawHttpServer refusing;

    @BeforeEach
    void storeSecrets() throws Exception {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        installPass(bin);
        user =
                new TestInstallation(folder)
                        .env("PATH", bin + ":" + System.getenv("PATH"))
                        .env("PASSWORD_STORE_DIR", vault.toString());
        var random = new Random();
        for (int i = 0; i < SECRETS; i++) {
            String secret = "canary-" + i + "-" + Long.toHexString(random.nextLong());
            secrets.add(secret);
            // Written as pass would, as twenty starts of the program take long.
            Files.writeString(vault.resolve("patchbay-s" + i), secret + "\n");
        }
        CommandResult stored = user.runWithInput(secrets.getFirst() + "\n", "secret", "set", "s0");
        assertThat(stored.status()).as(stored.err()).isZero();
        assertThat(stored.out()).contains("in pass", "${secret:s0}");
        Path index = folder.resolve(".local/state/patchbay/secrets.json");
        String entry = Files.readString(index);
        var all = new StringBuilder();
        for (int i = 0; i < SECRETS; i++) {
            all.append(i == 0 ? "" : ",").append("\"s%d\":{\"store\":\"pass\"}".formatted(i));
        }
        Files.writeString(index, entry.replace("\"s0\":{\"store\":\"pass\"}", all));
        configure();
    }

    private void installPass(Path bin) throws IOException {
        Path script =
                Files.writeString(
                        bin.resolve("pass"),
                        """
                        #!/bin/sh
                        for last; do :; done
                        file="$PASSWORD_STORE_DIR/$(echo "$last" | tr / -)"
                        case "$1" in
                            show) cat "$file" ;;
                            insert) cat > "$file" ;;
                            rm) rm "$file" ;;
                        esac
                        """);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
        Files.writeString(vault.resolve(".gpg-id"), "key");
    }

    /** The first ten secrets go to a program, the others to a URL. */
    private void configure() throws IOException {
        refusing =
                RawHttpServer.start(
                        exchange -> {
                            String head = exchange.request().toString();
                            receivedHeaders.add(head);
                            exchange.respond(403, head, "Content-Type: text/plain");
                        });
        Path script = Files.writeString(folder.resolve("leaky.sh"), LEAKY_SERVER);
        var env = new ArrayList<String>();
        var headers = new ArrayList<String>();
        for (int i = 0; i < SECRETS / 2; i++) {
            env.add("\"KEY%d\": \"${secret:s%d}\"".formatted(i, i));
            int j = i + SECRETS / 2;
            headers.add("\"X-Key-%d\": \"Bearer ${secret:s%d}\"".formatted(i, j));
        }
        user.withServer(
                "leaky",
                "{\"command\": \"/bin/sh\", \"args\": [\"%s\"], \"env\": {%s}}"
                        .formatted(script, String.join(", ", env)));
        user.withServer(
                "web",
                "{\"url\": \"%s\", \"headers\": {%s}, \"maxRetries\": 0}"
                        .formatted(refusing.url("/mcp"), String.join(", ", headers)));
        user.save();
    }

    @AfterEach
    void secretsAreNotOnDisk() throws IOException {
        refusing.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertNoSecret(file.toString(), text);
            }
        }
    }

    private void assertNoSecret(String where, String text) {
        for (String secret : secrets) {
            assertThat(text.contains(secret)).as("%s contains %s", where, secret).isFalse();
        }
    }

    private void assertNoSecretInProcessList() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.toList()) {
                if (process.getFileName().toString().matches("\\d+")) {
                    assertNoSecret(process + "/cmdline", readCommandLine(process));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String readCommandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return ""; // it has ended
        }
    }

    @Test
    void serversGetTheirSecretsAndErrorsDoNotShowThem() throws Exception {
        TestHost host = user.connect();
        assertThat(host.callForText("leaky.sum", "{}")).isNotBlank();
        assertNoSecretInProcessList();
        String ended = host.callForResult("leaky.end", "{}").write();
        assertThat(ended).contains("KEY3=${KEY3}");
        assertNoSecret("the error of a call", ended);
        host.awaitStatus("web", "error");
        assertNoSecret("the reported states", host.servers().toString());
        assertNoSecret("the log", host.client().stderr());
        for (String secret : secrets.subList(SECRETS / 2, SECRETS)) {
            assertThat(receivedHeaders).anyMatch(head -> head.contains("Bearer " + secret));
        }
        host.close();
    }

    @Test
    void commandsDoNotShowSecrets() throws Exception {
        for (String command : List.of("servers", "doctor", "check", "discover")) {
            for (CommandResult result : List.of(user.run(command), user.run(command, "--json"))) {
                assertNoSecret(command, result.out() + result.err());
            }
        }
        CommandResult listed = user.runWithoutConfig("secret", "list", "--json");
        assertThat(listed.out()).contains("{\"name\":\"s19\",\"store\":\"pass\"}");
        assertNoSecret("secret list", listed.out());
    }

    @Test
    void dashboardDoesNotShowSecrets() throws Exception {
        Path log = folder.resolve("serve.log");
        var builder =
                new ProcessBuilder(
                        TestInstallation.program()
                                .launcherCommand(
                                        "serve",
                                        "--config",
                                        user.configFile().toString(),
                                        "--listen",
                                        "127.0.0.1:0"));
        builder.redirectErrorStream(true).redirectOutput(log.toFile()).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().putAll(user.environment());
        Process process = builder.start();
        try {
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> matcher(log, TOKEN).find())).isTrue();
            Matcher url = matcher(log, URL);
            Matcher token = matcher(log, TOKEN);
            assertThat(url.find() && token.find()).isTrue();
            String origin = "http://" + url.group(1) + ":" + url.group(2);
            String bearer = Files.readString(Path.of(token.group(1))).strip();
            // Its diagnoses have the last words of servers.
            assertThat(
                            TestHost.await(
                                    TestHost.TIMEOUT,
                                    () -> get(origin + "/api/overview", bearer).contains("403")))
                    .isTrue();
            for (String path :
                    List.of("overview", "tools", "calls", "doctor/leaky", "doctor/web")) {
                assertNoSecret(path, get(origin + "/api/" + path, bearer));
            }
            assertNoSecret("metrics", get(origin + "/metrics", bearer));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    private static Matcher matcher(Path log, Pattern pattern) {
        try {
            return pattern.matcher(Files.exists(log) ? Files.readString(log) : "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String get(String url, String token) {
        try (var client = HttpClient.newHttpClient()) {
            var request =
                    HttpRequest.newBuilder(URI.create(url))
                            .header("Authorization", "Bearer " + token)
                            .build();
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Killed while servers start, while calls run, or while a server ends. */
    @RepeatedTest(4)
    void killedGatewayLeavesNoSecretOnDisk() throws Exception {
        int calls = new Random().nextInt(20);
        TestHost host = user.connect();
        for (int i = 0; i < calls; i++) {
            host.client().sendRequest("tools/call", "{\"name\":\"leaky.sum\",\"arguments\":{}}");
        }
        host.client().sendRequest("tools/call", "{\"name\":\"leaky.end\",\"arguments\":{}}");
        List<Long> below = host.descendants();
        host.client().kill();
        host.assertGone(below);
        assertNoSecret("the log", host.client().stderr());
        host.client().close();
    }

    @Test
    void missingSecretKeepsItsServerFromStartingUntilItIsSet() throws Exception {
        Path marker = folder.resolve("it-ran");
        user.withServer(
                "late",
                "{\"command\": \"/bin/sh\", \"args\": [\"-c\", \"touch %s; exec /bin/sh %s\"],"
                                .formatted(marker, folder.resolve("leaky.sh"))
                        + " \"env\": {\"KEY\": \"${secret:late-key}\"}}");
        user.save();
        try (TestHost host = user.connect()) {
            host.awaitError("late", "patchbay secret set late-key");
            assertThat(host.lastError("late")).startsWith("SECRET_MISSING");
            assertThat(marker).doesNotExist();
            CommandResult set = user.runWithInput("canary-late", "secret", "set", "late-key");
            assertThat(set.status()).as(set.err()).isZero();
            secrets.add("canary-late");
            assertThat(host.callForText("late.sum", "{}")).isNotBlank();
        }
    }

    @Test
    void addMovesASecretToTheStoreIfAsked() throws Exception {
        CommandResult added =
                user.run(
                        "add",
                        "mine",
                        "--no-try",
                        "--store-secrets",
                        "--env",
                        "API_TOKEN=" + "canary-moved-1",
                        "--",
                        "true");
        assertThat(added.status()).as(added.err()).isZero();
        secrets.add("canary-moved-1");
        assertThat(Files.readString(user.configFile())).contains("${secret:mine.API_TOKEN}");
        assertThat(Files.readString(vault.resolve("patchbay-mine.API_TOKEN")))
                .isEqualTo("canary-moved-1\n");
    }

    @Test
    void checkPointsOutSecretsInAVersionControlledFolder() throws Exception {
        user.withServer("open", "{\"command\": \"true\", \"env\": {\"API_TOKEN\": \"x1\"}}");
        user.save();
        assertThat(user.run("check").out()).doesNotContain("API_TOKEN");
        Files.createDirectory(folder.resolve(".git"));
        assertThat(user.run("check").out())
                .contains("mcpServers.open.env.API_TOKEN", "patchbay secret set open.API_TOKEN");
        assertThat(user.run("doctor").out()).contains("patchbay secret set open.API_TOKEN");
    }
}
