package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;

/** JSON output of login and logout, with a custom browser. */
class SignInOutputTest {
    /** A browser that follows redirects, as a user who agrees to everything. */
    private static final String BROWSER_SOURCE =
            """
            void main(String[] words) throws Exception {
                var follow = java.net.http.HttpClient.Redirect.ALWAYS;
                var page = java.net.http.HttpRequest.newBuilder(java.net.URI.create(words[0]));
                java.net.http.HttpClient.newBuilder().followRedirects(follow).build()
                        .send(page.build(), java.net.http.HttpResponse.BodyHandlers.ofString());
            }
            """;

    @Test
    void loginAndLogoutReportTheirOutcomeAsJson(@TempDir Path folder) throws Exception {
        Path source = Files.writeString(folder.resolve("Browser.java"), BROWSER_SOURCE);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String script = "#!/bin/sh\nexec '%s' '%s' \"$1\"\n".formatted(java, source);
        Path browser = Files.writeString(folder.resolve("browser"), script);
        assertThat(browser.toFile().setExecutable(true)).isTrue();
        try (var authorizationServer = new FakeAuthorizationServer()) {
            var installation =
                    new TestInstallation(folder)
                            .withServer(
                                    "guarded",
                                    authorizationServer
                                            .mcpServer()
                                            .configEntry("\"maxRetries\": 1"));
            installation.save();

            CommandResult login =
                    installation.run("login", "--json", "--open", browser.toString(), "guarded");

            assertThat(login.status()).as(login.err()).isZero();
            JsonTree reported = StrictJson.parse(login.out());
            assertThat(reported.at("serverId").asText()).isEqualTo("guarded");
            assertThat(reported.at("issuer").asText()).isEqualTo(authorizationServer.issuer());
            assertThat(reported.at("renewable").write()).isEqualTo("true");
            assertThat(Instant.parse(reported.at("expiresAt").asText())).isAfter(Instant.now());
            assertThat(login.out().lines()).hasSize(1);
            assertThat(installation.run("logout", "--json", "guarded").out())
                    .isEqualTo("{\"serverId\":\"guarded\",\"changed\":true,\"revoked\":true}\n");
            assertThat(authorizationServer.revoked())
                    .containsExactly("refresh-secret-1", "access-secret-1");
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(it -> it.toString().contains("sign-in")).toList()) {
                    assertThat(Files.isDirectory(file) ? "" : Files.readString(file))
                            .as("%s", file)
                            .doesNotContain("client-1", "-secret-");
                }
            }
        }
    }
}
