package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A running {@code patchbay login} that has printed its sign-in page. */
final class LoginProcess implements AutoCloseable {
    private static final Pattern SIGN_IN_URL = Pattern.compile("Sign in at (\\S+)");
    private static final HttpClient BROWSER =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

    private final TestHost host;

    /** Begins to sign in to the server {@code guarded}. */
    LoginProcess(TestInstallation installation, String... options) {
        String[] start = {
            "login", "--config", installation.configFile().toString(), "--no-open", "guarded"
        };
        String[] words = Stream.of(start, options).flatMap(Stream::of).toArray(String[]::new);
        host = installation.start(TestInstallation.program().launcherCommand(words));
    }

    URI signInPage() {
        boolean shown = TestHost.await(TestHost.TIMEOUT, () -> matchSignInUrl().find());
        assertThat(shown).as(host.client().stderr()).isTrue();
        Matcher output = matchSignInUrl();
        assertThat(output.find()).isTrue();
        return URI.create(output.group(1));
    }

    private Matcher matchSignInUrl() {
        return SIGN_IN_URL.matcher(host.client().stderr());
    }

    /** Signs in as a user does, and returns the exit code. */
    int signIn() throws IOException, InterruptedException {
        openPage(signInPage());
        return exitCode();
    }

    int exitCode() throws InterruptedException {
        return host.client().exitCode(TestHost.TIMEOUT);
    }

    String stderr() {
        return host.client().stderr();
    }

    /** Opens a page and follows redirects. */
    static HttpResponse<String> openPage(URI page) throws IOException, InterruptedException {
        return BROWSER.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        host.client().close();
    }
}
