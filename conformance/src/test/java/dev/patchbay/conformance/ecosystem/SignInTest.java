package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Workbench.Outcome;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer.Received;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Signing in to a server by OAuth: a person in a browser, a gateway that runs, tokens that are
 * renewed and go nowhere else, and every lie on the way refused.
 */
class SignInTest {
    private static final String RESOURCE = "/.well-known/oauth-protected-resource/mcp";
    private static final String METADATA = "/.well-known/oauth-authorization-server";

    @TempDir private Path folder;
    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();
    private AuthorizationServer authority;
    private Workbench bench;

    @BeforeEach
    void open() throws IOException {
        authority = new AuthorizationServer();
        bench = new Workbench(folder).settings("\"logLevel\": \"trace\"");
        bench.with("guarded", authority.guarded().config("\"maxRetries\": 1")).save();
    }

    @AfterEach
    void close() throws IOException {
        authority.close();
    }

    private void signIn() throws IOException, InterruptedException {
        try (var login = new Login(bench)) {
            assertThat(login.finish()).as(login.stderr()).isZero();
        }
    }

    private Path kept() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(".local/state/patchbay/sign-in"))) {
            return files.filter(it -> it.toString().endsWith(".json")).findFirst().orElseThrow();
        }
    }

    @Test
    void whoSignsInIsLetInByTheGatewayThatRuns() throws Exception {
        try (var stranger = new WebServer();
                Host host =
                        bench.with("stranger", stranger.config("\"era\": \"auto\""))
                                .save()
                                .open()) {
            host.awaitError("guarded", "patchbay login guarded");
            JsonTree advice =
                    StrictJson.parse(bench.run("doctor", "--json").out()).at("findings", 0);
            assertThat(advice.at("reason").text()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(advice.at("nextStep").text()).contains("patchbay login guarded");

            signIn();
            host.awaitStatus("guarded", "connected");
            host.awaitListed("guarded");
            assertThat(host.text("guarded.echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            assertThat(authority.lastForm())
                    .containsEntry("resource", authority.guarded().url().toString())
                    .containsKey("code_verifier");

            Outcome servers = bench.run("servers", "--json");
            assertThat(servers.out()).contains("\"connected\"");
            assertNoSecretIn(servers.out() + servers.err() + host.client().stderr());
            assertNoSecretIn(stranger.received().toString());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(kept())))
                    .isEqualTo("rw-------");
            assertThat(authority.received()).noneMatch(it -> it.toString().contains("access-"));

            assertThat(bench.run("logout", "guarded").out()).contains("Signed out");
            host.awaitError("guarded", "patchbay login guarded");
        }
    }

    private void assertNoSecretIn(String text) {
        for (String secret : authority.everGiven()) {
            assertThat(text).doesNotContain(secret);
        }
    }

    /** Everything that the dashboard tells, of a server that is signed in to. */
    @Test
    void theDashboardShowsNoToken() throws Exception {
        signIn();
        String file = bench.file().toString();
        String[] words = {"serve", "--config", file, "--listen", "127.0.0.1:0"};
        Host served = bench.start(Workbench.program().launcher(words));
        try (var client = served.client()) {
            var link = Pattern.compile("Dashboard at (\\S+)/#token=(\\S+)");
            assertThat(Host.await(Host.PATIENCE, () -> link.matcher(client.stderr()).find()))
                    .isTrue();
            Matcher found = link.matcher(client.stderr());
            assertThat(found.find()).isTrue();
            String origin = found.group(1);
            String token = found.group(2);
            boolean connected =
                    Host.await(
                            Host.PATIENCE,
                            () -> told(origin + "/api/overview", token).contains("\"connected\""));
            assertThat(connected).as(told(origin + "/api/overview", token)).isTrue();
            String all =
                    Stream.of("/api/overview", "/api/tools", "/api/calls", "/metrics")
                            .map(path -> told(origin + path, token))
                            .collect(Collectors.joining());
            assertThat(all).contains("guarded");
            assertNoSecretIn(all + client.stderr());
        }
    }

    private String told(String url, String token) {
        var request =
                HttpRequest.newBuilder(URI.create(url)).header("Authorization", "Bearer " + token);
        try {
            return browser.send(request.build(), BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void tokensAreRenewedWithWhatTheLastRenewalGave() throws Exception {
        signIn();
        try (Host host = bench.open()) {
            host.awaitListed("guarded");
            authority.expireAccess();
            assertThat(host.text("guarded.echo", "{}")).isEqualTo("{}");
            assertThat(authority.lastForm()).containsEntry("refresh_token", "refresh-secret-1");
            long calls = authority.guarded().count("tools/call");
            assertThat(calls).as("refused, then served").isEqualTo(2);

            authority.expireAccess();
            awaitServed(host);
            assertThat(authority.lastForm()).containsEntry("refresh_token", "refresh-secret-2");
            assertNoSecretIn(host.client().stderr());
        }
        assertThat(Files.readString(kept())).contains("refresh-secret-3");
    }

    /** Renewals keep a distance from each other; a call in between says so. */
    private static void awaitServed(Host host) {
        assertThat(Host.await(Host.PATIENCE, () -> !Host.isError(result(host)))).isTrue();
    }

    private static JsonTree result(Host host) {
        try {
            return host.result("guarded.echo", "{}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void aRenewalThatIsRefusedWantsANewSignIn() throws Exception {
        signIn();
        try (Host host = bench.open()) {
            host.awaitListed("guarded");
            authority.expireAccess();
            authority.expireRenewal();
            JsonTree failure = host.failure("guarded.echo", "{}");
            assertThat(failure.at("reason").text()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(failure.at("message").text()).contains("patchbay login guarded");
            host.awaitStatus("guarded", "error");
            host.awaitError("guarded", "SIGN_IN_NEEDED");
            assertThat(Files.readString(kept())).doesNotContain("-secret-");

            signIn();
            host.awaitStatus("guarded", "connected");
            awaitServed(host);
        }
    }

    @Test
    void aCallThatNeedsMoreRightsSaysSoAndTheNextSignInAsksForThem() throws Exception {
        signIn();
        try (Host host = bench.open()) {
            host.awaitListed("guarded");
            String challenge =
                    "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"write\"";
            authority.guarded().on("tools/call", exchange -> exchange.answer(403, "", challenge));
            JsonTree failure = host.failure("guarded.echo", "{}");
            assertThat(failure.at("reason").text()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(host.status("guarded")).isEqualTo("connected");
            authority.guarded().heal("tools/call");
            try (var login = new Login(bench)) {
                Map<String, String> asked = AuthorizationServer.pairs(login.page().getRawQuery());
                assertThat(List.of(asked.get("scope").split(" ", -1)))
                        .containsExactlyInAnyOrder("read", "write", "offline_access");
                assertThat(login.finish()).isZero();
            }
        }
    }

    @Test
    void whoBringsAnotherStateIsSentAwayAndTheSignInGoesOn() throws Exception {
        try (var login = new Login(bench)) {
            Map<String, String> asked = AuthorizationServer.pairs(login.page().getRawQuery());
            String back = asked.get("redirect_uri");
            for (String query :
                    List.of(
                            "?code=x&state=y",
                            "?code=x",
                            "",
                            "?state=" + asked.get("state") + "&state=y")) {
                assertThat(Login.visit(URI.create(back + query)).statusCode()).isIn(400, 404);
            }
            assertThat(
                            Login.visit(URI.create(back.replace("/callback", "/other?code=x")))
                                    .statusCode())
                    .isEqualTo(404);
            assertThat(authority.count("/token")).isZero();
            assertThat(login.finish()).as(login.stderr()).isZero();
        }
    }

    @Test
    void anAnswerOfAnotherIssuerIsPassedOver() throws Exception {
        authority.on(
                "/authorize",
                exchange -> AuthorizationServer.authorize(exchange, "&iss=https://evil.example"));
        try (var login = new Login(bench)) {
            assertThat(login.finish()).isEqualTo(1);
            assertThat(login.stderr()).contains("is not from " + authority.issuer());
        }
        assertThat(authority.count("/token")).isZero();
    }

    /** What is published for us to believe: each lie ends the sign-in before it begins. */
    @ParameterizedTest
    @CsvSource({
        "resource, it is another one",
        "issuer, of another issuer",
        "pkce, PKCE",
        "scheme, no URL of http",
        "metadata, not for it to send us to",
        "plain, where there is no TLS",
        "redirect, publishes nothing"
    })
    void aLieInTheMetadataEndsTheSignIn(String lie, String said) throws Exception {
        try (var elsewhere = new WebServer()) {
            publishA(lie, elsewhere);
            Outcome outcome = bench.run("login", "--no-open", "--timeout", "20", "guarded");
            assertThat(outcome.status()).as("%s", outcome).isEqualTo(1);
            assertThat(outcome.err()).contains("Not signed in to guarded", said);
            assertThat(outcome.err()).doesNotContain("Sign in at");
            assertThat(elsewhere.hits()).as("no redirect is followed").isZero();
            assertThat(authority.count("/register") + authority.count("/token")).isZero();
        }
    }

    private void publishA(String lie, WebServer elsewhere) {
        String issuer = authority.issuer();
        String good = authority.metadata(issuer);
        String token = issuer + "/token";
        switch (lie) {
            case "resource" ->
                    publish(RESOURCE, authority.resourceMetadata("https://evil.example/mcp"));
            case "issuer" -> publish(METADATA, authority.metadata("https://evil.example"));
            case "pkce" -> publish(METADATA, good.replace("S256", "plain"));
            case "scheme" ->
                    publish(METADATA, good.replace(issuer + "/authorize", "javascript:alert(1)"));
            case "metadata" ->
                    publish(METADATA, good.replace(token, "https://169.254.169.254/token"));
            case "plain" -> publish(METADATA, good.replace(token, "http://192.0.2.1/token"));
            default -> {
                String location = "Location: " + elsewhere.url();
                authority.on(METADATA, exchange -> exchange.answer(302, "", location));
            }
        }
    }

    private void publish(String path, String document) {
        authority.on(path, exchange -> exchange.answer(200, document, WebServer.JSON));
    }

    private Host openWithOwnClient() throws InterruptedException {
        String oauth =
                """
                "oauth": {"grant": "client_credentials", "clientId": "me", \
                "clientSecret": "${OWN_SECRET}"}\
                """;
        bench.env("OWN_SECRET", "own-secret-value");
        return bench.with("guarded", authority.guarded().config(oauth)).save().open();
    }

    @Test
    void theSecretOfAClientGoesToNoOtherAuthorizationServer() throws Exception {
        try (var other = new AuthorizationServer();
                Host host = openWithOwnClient()) {
            host.awaitListed("guarded");
            String server = authority.guarded().url().toString();
            publish(RESOURCE, other.resourceMetadata(server));
            authority.expireAccess();
            String why = "does not name the issuer that is to be used";
            assertThat(Host.await(Host.PATIENCE, () -> result(host).toString().contains(why)))
                    .isTrue();
            assertThat(other.received()).isEmpty();
        }
    }

    @Test
    void aClientOfItsOwnNeedsNobodyToSignIn() throws Exception {
        try (Host host = openWithOwnClient()) {
            host.awaitListed("guarded");
            assertThat(host.text("guarded.echo", "{}")).isEqualTo("{}");
            authority.expireAccess();
            awaitServed(host);
            assertThat(authority.lastForm()).containsEntry("grant_type", "client_credentials");
            Received asked = authority.received().getLast();
            assertThat(asked.header("Authorization").orElse("")).startsWith("Basic ");
            assertThat(authority.guarded().received().toString() + host.client().stderr())
                    .doesNotContain("own-secret-value");
            assertThat(Files.readString(kept())).doesNotContain("own-secret-value");
        }
    }
}
