package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** One sign-in serves all gateways of a user, and no gateway starts one. */
class SharedSignInTest {
    private static final String RESOURCE_METADATA_PATH =
            "/.well-known/oauth-protected-resource/mcp";
    private static final String SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

    @TempDir private Path folder;
    private FakeAuthorizationServer authorizationServer;
    private TestInstallation installation;

    @BeforeEach
    void open() throws IOException {
        authorizationServer = new FakeAuthorizationServer();
        installation = new TestInstallation(folder);
        installation
                .withServer(
                        "guarded", authorizationServer.mcpServer().configEntry("\"maxRetries\": 1"))
                .save();
    }

    @AfterEach
    void close() throws IOException {
        authorizationServer.close();
    }

    /** Each refresh token works once; a renewal with an old one is refused. */
    @Test
    void severalGatewaysShareARenewedToken() throws Exception {
        try (var login = new LoginProcess(installation)) {
            assertThat(login.signIn()).as(login.stderr()).isZero();
        }
        assertOneFileIsStored();
        try (TestHost one = installation.connect();
                TestHost two = installation.connect();
                TestHost three = installation.connect()) {
            for (TestHost host : List.of(one, two, three)) {
                host.awaitListed("guarded");
            }
            long before = authorizationServer.count("/token");
            authorizationServer.expireAccessTokens();
            for (TestHost host : List.of(one, two, three)) {
                assertThat(TestHost.await(TestHost.TIMEOUT, () -> isServed(host))).isTrue();
            }
            assertThat(authorizationServer.count("/token")).isEqualTo(before + 1);
        }
    }

    private void assertOneFileIsStored() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(".local/state/patchbay/sign-in"))) {
            List<Path> kept = files.filter(it -> it.toString().endsWith(".json")).toList();
            assertThat(kept).hasSize(1);
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(kept.getFirst())))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(kept.getFirst()))
                    .contains("refresh-secret-1", "\"clientId\"", authorizationServer.issuer())
                    .contains(authorizationServer.mcpServer().url().toString());
        }
    }

    /** The server names another issuer first. */
    @Test
    void secretGoesToTheConfiguredIssuer() throws Exception {
        String oauth =
                """
                "oauth": {"grant": "client_credentials", "clientId": "me", \
                "clientSecret": "own-secret-value", "issuer": "%s"}\
                """
                        .formatted(authorizationServer.issuer());
        try (var other = new FakeAuthorizationServer()) {
            String published =
                    "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\",\"%s\"]}"
                            .formatted(
                                    authorizationServer.mcpServer().url(),
                                    other.issuer(),
                                    authorizationServer.issuer());
            authorizationServer.on(
                    RESOURCE_METADATA_PATH,
                    exchange -> exchange.respond(200, published, HttpEchoServer.JSON_HEADER));
            installation
                    .withServer("guarded", authorizationServer.mcpServer().configEntry(oauth))
                    .save();
            try (TestHost host = installation.connect()) {
                host.awaitListed("guarded");
                assertThat(host.callForText("guarded.echo", "{}")).isEqualTo("{}");
            }
            assertThat(authorizationServer.count("/token")).isEqualTo(1);
            assertThat(other.received()).isEmpty();
        }
    }

    private static boolean isServed(TestHost host) {
        try {
            JsonTree result = host.callForResult("guarded.echo", "{}");
            return !TestHost.isError(result);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void onlyTheLoginCommandOpensABrowserAndOnlyIfAllowed() throws Exception {
        Path opened = folder.resolve("opened");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path browser = bin.resolve("xdg-open");
        Files.writeString(browser, "#!/bin/sh\necho \"$1\" >> '%s'\n".formatted(opened));
        assertThat(browser.toFile().setExecutable(true)).isTrue();
        installation.env("PATH", bin + ":" + System.getenv("PATH"));
        try (TestHost host = installation.connect()) {
            host.awaitError("guarded", "SIGN_IN_NEEDED");
            assertThat(host.failureDetails("guarded.echo", "{}").at("reason").asText())
                    .isEqualTo("SIGN_IN_NEEDED");
        }
        CommandResult silent = installation.run("login", "--no-open", "--timeout", "1", "guarded");
        assertThat(silent.err()).contains("Sign in at http");
        assertThat(opened).doesNotExist();
        CommandResult loud = installation.run("login", "--timeout", "5", "guarded");
        assertThat(loud.err()).contains("Sign in at http");
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> isPageOpened(opened))).isTrue();
    }

    /** The browser may open its page after the login has ended. */
    private static boolean isPageOpened(Path opened) {
        try {
            String output = Files.exists(opened) ? Files.readString(opened) : "";
            return output.startsWith("http") && output.contains("/authorize?");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Metadata is limited in size and time. */
    @ParameterizedTest
    @CsvSource({"size, '262,144 bytes', 0", "silence, no response in time, 15"})
    void metadataIsLimitedInSizeAndTime(String fault, String output, int seconds) throws Exception {
        authorizationServer.on(
                SERVER_METADATA_PATH,
                exchange -> {
                    if (fault.equals("size")) {
                        exchange.respond(
                                200, " ".repeat(300 * 1024) + "{}", HttpEchoServer.JSON_HEADER);
                    } else {
                        exchange.awaitDisconnect(60_000);
                    }
                });
        var stopwatch = Stopwatch.start();
        CommandResult outcome =
                installation.run("login", "--no-open", "--timeout", "60", "guarded");
        assertThat(outcome.status()).as("%s", outcome).isEqualTo(1);
        assertThat(outcome.err()).contains("Not signed in to guarded", output);
        assertThat(stopwatch.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(seconds));
        assertThat(stopwatch.activeTime()).isLessThan(Duration.ofSeconds(seconds + 30));
    }
}
