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

/** What login and logout tell programs, with a browser of one's own. */
class SignInOutputTest {
    /** Goes where it is sent, as a person who agrees to everything. */
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
        try (var authority = new FakeAuthorizationServer()) {
            var bench =
                    new TestInstallation(folder)
                            .withServer(
                                    "guarded",
                                    authority.mcpServer().configEntry("\"maxRetries\": 1"));
            bench.save();

            CommandResult login =
                    bench.run("login", "--json", "--open", browser.toString(), "guarded");

            assertThat(login.status()).as(login.err()).isZero();
            JsonTree told = StrictJson.parse(login.out());
            assertThat(told.at("serverId").asText()).isEqualTo("guarded");
            assertThat(told.at("issuer").asText()).isEqualTo(authority.issuer());
            assertThat(told.at("renewable").write()).isEqualTo("true");
            assertThat(Instant.parse(told.at("expiresAt").asText())).isAfter(Instant.now());
            assertThat(login.out().lines()).hasSize(1);
            assertThat(bench.run("logout", "--json", "guarded").out())
                    .isEqualTo("{\"serverId\":\"guarded\",\"changed\":true}\n");
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
