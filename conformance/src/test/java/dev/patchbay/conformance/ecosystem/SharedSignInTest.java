package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Workbench.Outcome;
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

/** One sign-in serves all gateways of a user, and none of them asks for it by itself. */
class SharedSignInTest {
    private static final String RESOURCE = "/.well-known/oauth-protected-resource/mcp";
    private static final String METADATA = "/.well-known/oauth-authorization-server";

    @TempDir private Path folder;
    private AuthorizationServer authority;
    private Workbench bench;

    @BeforeEach
    void open() throws IOException {
        authority = new AuthorizationServer();
        bench = new Workbench(folder);
        bench.with("guarded", authority.guarded().config("\"maxRetries\": 1")).save();
    }

    @AfterEach
    void close() throws IOException {
        authority.close();
    }

    /** Each refresh token is good once here: who renews with an old one is thrown out. */
    @Test
    void severalGatewaysTakeWhatOneOfThemRenewed() throws Exception {
        try (var login = new Login(bench)) {
            assertThat(login.finish()).as(login.stderr()).isZero();
        }
        assertOneFileIsKept();
        try (Host one = bench.open();
                Host two = bench.open();
                Host three = bench.open()) {
            for (Host host : List.of(one, two, three)) {
                host.awaitListed("guarded");
            }
            long before = authority.count("/token");
            authority.expireAccess();
            for (Host host : List.of(one, two, three)) {
                assertThat(Host.await(Host.PATIENCE, () -> isServed(host))).isTrue();
            }
            assertThat(authority.count("/token")).isEqualTo(before + 1);
        }
    }

    private void assertOneFileIsKept() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(".local/state/patchbay/sign-in"))) {
            List<Path> kept = files.filter(it -> it.toString().endsWith(".json")).toList();
            assertThat(kept).hasSize(1);
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(kept.getFirst())))
                    .isEqualTo("rw-------");
            assertThat(Files.readString(kept.getFirst()))
                    .contains("refresh-secret-1", "\"clientId\"", authority.issuer())
                    .contains(authority.guarded().url().toString());
        }
    }

    /** The server names another one first. */
    @Test
    void theSecretGoesToTheIssuerThatIsConfigured() throws Exception {
        String oauth =
                """
                "oauth": {"grant": "client_credentials", "clientId": "me", \
                "clientSecret": "own-secret-value", "issuer": "%s"}\
                """
                        .formatted(authority.issuer());
        try (var other = new AuthorizationServer()) {
            String published =
                    "{\"resource\":\"%s\",\"authorization_servers\":[\"%s\",\"%s\"]}"
                            .formatted(
                                    authority.guarded().url(), other.issuer(), authority.issuer());
            authority.on(RESOURCE, exchange -> exchange.answer(200, published, WebServer.JSON));
            bench.with("guarded", authority.guarded().config(oauth)).save();
            try (Host host = bench.open()) {
                host.awaitListed("guarded");
                assertThat(host.text("guarded.echo", "{}")).isEqualTo("{}");
            }
            assertThat(authority.count("/token")).isEqualTo(1);
            assertThat(other.received()).isEmpty();
        }
    }

    private static boolean isServed(Host host) {
        try {
            JsonTree result = host.result("guarded.echo", "{}");
            return !Host.isError(result);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void onlyTheCommandOpensABrowserAndOnlyIfItMay() throws Exception {
        Path opened = folder.resolve("opened");
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path browser = bin.resolve("xdg-open");
        Files.writeString(browser, "#!/bin/sh\necho \"$1\" >> '%s'\n".formatted(opened));
        assertThat(browser.toFile().setExecutable(true)).isTrue();
        bench.env("PATH", bin + ":" + System.getenv("PATH"));
        try (Host host = bench.open()) {
            host.awaitError("guarded", "SIGN_IN_NEEDED");
            assertThat(host.failure("guarded.echo", "{}").at("reason").text())
                    .isEqualTo("SIGN_IN_NEEDED");
        }
        Outcome silent = bench.run("login", "--no-open", "--timeout", "1", "guarded");
        assertThat(silent.err()).contains("Sign in at http");
        assertThat(opened).doesNotExist();
        Outcome loud = bench.run("login", "--timeout", "5", "guarded");
        assertThat(loud.err()).contains("Sign in at http");
        assertThat(Host.await(Host.PATIENCE, () -> isPageIn(opened))).isTrue();
    }

    /** Nobody waits for a browser: it may come to its page when the login has ended. */
    private static boolean isPageIn(Path opened) {
        try {
            String said = Files.exists(opened) ? Files.readString(opened) : "";
            return said.startsWith("http") && said.contains("/authorize?");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is asked for on the way to a sign-in is small, and comes soon or not at all. */
    @ParameterizedTest
    @CsvSource({"size, '262,144 bytes', 0", "silence, No answer in time, 15"})
    void whatIsPublishedIsShortAndComesInTime(String fault, String said, int seconds)
            throws Exception {
        authority.on(
                METADATA,
                exchange -> {
                    if (fault.equals("size")) {
                        exchange.answer(200, " ".repeat(300 * 1024) + "{}", WebServer.JSON);
                    } else {
                        exchange.awaitHangUp(60_000);
                    }
                });
        var watch = Stopwatch.start();
        Outcome outcome = bench.run("login", "--no-open", "--timeout", "60", "guarded");
        assertThat(outcome.status()).as("%s", outcome).isEqualTo(1);
        assertThat(outcome.err()).contains("Not signed in to guarded", said);
        assertThat(watch.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(seconds));
        assertThat(watch.net()).isLessThan(Duration.ofSeconds(seconds + 30));
    }
}
