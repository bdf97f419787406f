package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.RawHttpServer.ReceivedRequest;
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
 * OAuth sign-in: a user in a browser, a running gateway, renewed tokens that are sent nowhere else,
 * and false metadata that is refused.
 */
class SignInTest {
    private static final String RESOURCE_METADATA_PATH =
            "/.well-known/oauth-protected-resource/mcp";
    private static final String SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

    @TempDir private Path folder;
    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();
    private FakeAuthorizationServer authorizationServer;
    private TestInstallation installation;

    @BeforeEach
    void open() throws IOException {
        authorizationServer = new FakeAuthorizationServer();
        installation = new TestInstallation(folder).settings("\"logLevel\": \"trace\"");
        installation
                .withServer(
                        "guarded", authorizationServer.mcpServer().configEntry("\"maxRetries\": 1"))
                .save();
    }

    @AfterEach
    void close() throws IOException {
        authorizationServer.close();
    }

    private void signIn() throws IOException, InterruptedException {
        try (var login = new LoginProcess(installation)) {
            assertThat(login.signIn()).as(login.stderr()).isZero();
            assertThat(login.stderr())
                    .contains("Server: ", "Issuer: " + authorizationServer.issuer(), "Scopes: ");
        }
    }

    private Path signInFile() throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve(".local/state/patchbay/sign-in"))) {
            return files.filter(it -> it.toString().endsWith(".json")).findFirst().orElseThrow();
        }
    }

    @Test
    void runningGatewayConnectsAfterSignIn() throws Exception {
        try (var stranger = new HttpEchoServer();
                TestHost host =
                        installation
                                .withServer("stranger", stranger.configEntry("\"era\": \"auto\""))
                                .save()
                                .connect()) {
            host.awaitError("guarded", "patchbay login guarded");
            JsonTree advice =
                    StrictJson.parse(installation.run("doctor", "--json").out()).at("findings", 0);
            assertThat(advice.at("reason").asText()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(advice.at("nextStep").asText()).contains("patchbay login guarded");

            signIn();
            host.awaitStatus("guarded", "connected");
            host.awaitListed("guarded");
            assertThat(host.callForText("guarded.echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            assertThat(authorizationServer.lastTokenForm())
                    .containsEntry("resource", authorizationServer.mcpServer().url().toString())
                    .containsKey("code_verifier");

            CommandResult servers = installation.run("servers", "--json");
            assertThat(servers.out()).contains("\"connected\"");
            assertNoSecretIn(servers.out() + servers.err() + host.client().stderr());
            assertNoSecretIn(stranger.received().toString());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(signInFile())))
                    .isEqualTo("rw-------");
            assertThat(authorizationServer.received())
                    .noneMatch(it -> it.toString().contains("access-"));

            assertThat(installation.run("logout", "guarded").out()).contains("Signed out");
            host.awaitError("guarded", "patchbay login guarded");
        }
    }

    private void assertNoSecretIn(String text) {
        for (String secret : authorizationServer.issuedSecrets()) {
            assertThat(text).doesNotContain(secret);
        }
    }

    /** Everything the dashboard returns for a server with a sign-in. */
    @Test
    void dashboardShowsNoToken() throws Exception {
        signIn();
        String file = installation.configFile().toString();
        String[] words = {"serve", "--config", file, "--listen", "127.0.0.1:0"};
        TestHost served = installation.start(TestInstallation.program().launcherCommand(words));
        try (var client = served.client()) {
            var link = Pattern.compile("Dashboard at (\\S+)/\nThe token is in (\\S+)\n");
            assertThat(TestHost.await(TestHost.TIMEOUT, () -> link.matcher(client.stderr()).find()))
                    .isTrue();
            Matcher found = link.matcher(client.stderr());
            assertThat(found.find()).isTrue();
            String origin = found.group(1);
            String token = Files.readString(Path.of(found.group(2))).strip();
            boolean connected =
                    TestHost.await(
                            TestHost.TIMEOUT,
                            () ->
                                    dashboardOutput(origin + "/api/overview", token)
                                            .contains("\"connected\""));
            assertThat(connected).as(dashboardOutput(origin + "/api/overview", token)).isTrue();
            String all =
                    Stream.of("/api/overview", "/api/tools", "/api/calls", "/metrics")
                            .map(path -> dashboardOutput(origin + path, token))
                            .collect(Collectors.joining());
            assertThat(all).contains("guarded");
            assertNoSecretIn(all + client.stderr());
        }
    }

    private String dashboardOutput(String url, String token) {
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
    void tokensAreRenewedWithTheLatestRefreshToken() throws Exception {
        signIn();
        try (TestHost host = installation.connect()) {
            host.awaitListed("guarded");
            authorizationServer.expireAccessTokens();
            assertThat(host.callForText("guarded.echo", "{}")).isEqualTo("{}");
            assertThat(authorizationServer.lastTokenForm())
                    .containsEntry("refresh_token", "refresh-secret-1");
            long calls = authorizationServer.mcpServer().count("tools/call");
            assertThat(calls).as("refused, then served").isEqualTo(2);

            authorizationServer.expireAccessTokens();
            awaitServed(host);
            assertThat(authorizationServer.lastTokenForm())
                    .containsEntry("refresh_token", "refresh-secret-2");
            assertNoSecretIn(host.client().stderr());
        }
        assertThat(Files.readString(signInFile())).contains("refresh-secret-3");
    }

    /** Renewals have a minimum interval; a call in between fails. */
    private static void awaitServed(TestHost host) {
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> !TestHost.isError(callResult(host))))
                .isTrue();
    }

    private static JsonTree callResult(TestHost host) {
        try {
            return host.callForResult("guarded.echo", "{}");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Test
    void refusedRenewalRequiresANewSignIn() throws Exception {
        signIn();
        try (TestHost host = installation.connect()) {
            host.awaitListed("guarded");
            authorizationServer.expireAccessTokens();
            authorizationServer.expireRefreshTokens();
            JsonTree failure = host.failureDetails("guarded.echo", "{}");
            assertThat(failure.at("reason").asText()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(failure.at("message").asText()).contains("patchbay login guarded");
            host.awaitStatus("guarded", "error");
            host.awaitError("guarded", "SIGN_IN_NEEDED");
            assertThat(Files.readString(signInFile())).doesNotContain("-secret-");

            signIn();
            host.awaitStatus("guarded", "connected");
            awaitServed(host);
        }
    }

    @Test
    void missingScopesAreReportedAndRequestedByTheNextSignIn() throws Exception {
        signIn();
        try (TestHost host = installation.connect()) {
            host.awaitListed("guarded");
            String challenge =
                    "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"write\"";
            authorizationServer
                    .mcpServer()
                    .on("tools/call", exchange -> exchange.respond(403, "", challenge));
            JsonTree failure = host.failureDetails("guarded.echo", "{}");
            assertThat(failure.at("reason").asText()).isEqualTo("SIGN_IN_NEEDED");
            assertThat(host.status("guarded")).isEqualTo("connected");
            authorizationServer.mcpServer().restore("tools/call");
            try (var login = new LoginProcess(installation)) {
                Map<String, String> asked =
                        FakeAuthorizationServer.parseForm(login.signInPage().getRawQuery());
                assertThat(List.of(asked.get("scope").split(" ", -1)))
                        .containsExactlyInAnyOrder("read", "write", "offline_access");
                assertThat(login.signIn()).isZero();
            }
        }
    }

    @Test
    void callbackWithAWrongStateIsRejectedAndTheSignInContinues() throws Exception {
        try (var login = new LoginProcess(installation)) {
            Map<String, String> asked =
                    FakeAuthorizationServer.parseForm(login.signInPage().getRawQuery());
            String back = asked.get("redirect_uri");
            for (String query :
                    List.of(
                            "?code=x&state=y",
                            "?code=x",
                            "",
                            "?state=" + asked.get("state") + "&state=y")) {
                assertThat(LoginProcess.openPage(URI.create(back + query)).statusCode())
                        .isIn(400, 404);
            }
            assertThat(
                            LoginProcess.openPage(
                                            URI.create(back.replace("/callback", "/other?code=x")))
                                    .statusCode())
                    .isEqualTo(404);
            assertThat(authorizationServer.count("/token")).isZero();
            assertThat(login.signIn()).as(login.stderr()).isZero();
        }
    }

    @Test
    void callbackFromAnotherIssuerIsIgnored() throws Exception {
        authorizationServer.on(
                "/authorize",
                exchange ->
                        FakeAuthorizationServer.authorize(exchange, "&iss=https://evil.example"));
        try (var login = new LoginProcess(installation)) {
            assertThat(login.signIn()).isEqualTo(1);
            assertThat(login.stderr()).contains("is not from " + authorizationServer.issuer());
        }
        assertThat(authorizationServer.count("/token")).isZero();
    }

    /** False metadata ends the sign-in before it starts. */
    @ParameterizedTest
    @CsvSource({
        "resource, names another server",
        "issuer, of another issuer",
        "pkce, PKCE",
        "scheme, not http or https",
        "metadata, is not allowed for its address",
        "plain, does not use TLS",
        "redirect, publishes no metadata"
    })
    void falseMetadataEndsTheSignIn(String lie, String output) throws Exception {
        try (var elsewhere = new HttpEchoServer()) {
            publishFalseMetadata(lie, elsewhere);
            CommandResult outcome =
                    installation.run("login", "--no-open", "--timeout", "20", "guarded");
            assertThat(outcome.status()).as("%s", outcome).isEqualTo(1);
            assertThat(outcome.err()).contains("Not signed in to guarded", output);
            assertThat(outcome.err()).doesNotContain("Sign in at");
            assertThat(elsewhere.requestCount()).as("no redirect is followed").isZero();
            assertThat(authorizationServer.count("/register") + authorizationServer.count("/token"))
                    .isZero();
        }
    }

    private void publishFalseMetadata(String lie, HttpEchoServer elsewhere) {
        String issuer = authorizationServer.issuer();
        String good = authorizationServer.serverMetadata(issuer);
        String token = issuer + "/token";
        switch (lie) {
            case "resource" ->
                    publish(
                            RESOURCE_METADATA_PATH,
                            authorizationServer.resourceMetadata("https://evil.example/mcp"));
            case "issuer" ->
                    publish(
                            SERVER_METADATA_PATH,
                            authorizationServer.serverMetadata("https://evil.example"));
            case "pkce" -> publish(SERVER_METADATA_PATH, good.replace("S256", "plain"));
            case "scheme" ->
                    publish(
                            SERVER_METADATA_PATH,
                            good.replace(issuer + "/authorize", "javascript:alert(1)"));
            case "metadata" ->
                    publish(
                            SERVER_METADATA_PATH,
                            good.replace(token, "https://169.254.169.254/token"));
            case "plain" ->
                    publish(SERVER_METADATA_PATH, good.replace(token, "http://192.0.2.1/token"));
            default -> {
                String location = "Location: " + elsewhere.url();
                authorizationServer.on(
                        SERVER_METADATA_PATH, exchange -> exchange.respond(302, "", location));
            }
        }
    }

    private void publish(String path, String document) {
        authorizationServer.on(
                path, exchange -> exchange.respond(200, document, HttpEchoServer.JSON_HEADER));
    }

    private TestHost connectWithClientCredentials() throws InterruptedException {
        String oauth =
                """
                "oauth": {"grant": "client_credentials", "clientId": "me", \
                "clientSecret": "${OWN_SECRET}"}\
                """;
        installation.env("OWN_SECRET", "own-secret-value");
        return installation
                .withServer("guarded", authorizationServer.mcpServer().configEntry(oauth))
                .save()
                .connect();
    }

    @Test
    void clientSecretGoesToNoOtherAuthorizationServer() throws Exception {
        try (var other = new FakeAuthorizationServer();
                TestHost host = connectWithClientCredentials()) {
            host.awaitListed("guarded");
            String server = authorizationServer.mcpServer().url().toString();
            publish(RESOURCE_METADATA_PATH, other.resourceMetadata(server));
            authorizationServer.expireAccessTokens();
            String why = "names another issuer than the configured one";
            assertThat(
                            TestHost.await(
                                    TestHost.TIMEOUT,
                                    () -> callResult(host).toString().contains(why)))
                    .isTrue();
            assertThat(other.received()).isEmpty();
        }
    }

    @Test
    void clientCredentialsNeedNoUserSignIn() throws Exception {
        try (TestHost host = connectWithClientCredentials()) {
            host.awaitListed("guarded");
            assertThat(host.callForText("guarded.echo", "{}")).isEqualTo("{}");
            authorizationServer.expireAccessTokens();
            awaitServed(host);
            assertThat(authorizationServer.lastTokenForm())
                    .containsEntry("grant_type", "client_credentials");
            ReceivedRequest asked = authorizationServer.received().getLast();
            assertThat(asked.header("Authorization").orElse("")).startsWith("Basic ");
            assertThat(
                            authorizationServer.mcpServer().received().toString()
                                    + host.client().stderr())
                    .doesNotContain("own-secret-value");
            assertThat(Files.readString(signInFile())).doesNotContain("own-secret-value");
        }
    }
}
