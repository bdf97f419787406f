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

/** {@code patchbay login} at work: its page is shown, and nobody has been there yet. */
final class Login implements AutoCloseable {
    private static final Pattern PAGE = Pattern.compile("Sign in at (\\S+)");
    private static final HttpClient BROWSER =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.ALWAYS).build();

    private final Host host;

    /** Begins to sign in to the server {@code guarded}. */
    Login(Workbench bench, String... options) {
        String[] start = {"login", "--config", bench.file().toString(), "--no-open", "guarded"};
        String[] words = Stream.of(start, options).flatMap(Stream::of).toArray(String[]::new);
        host = bench.start(Workbench.program().launcher(words));
    }

    URI page() {
        boolean shown = Host.await(Host.PATIENCE, () -> said().find());
        assertThat(shown).as(host.client().stderr()).isTrue();
        Matcher said = said();
        assertThat(said.find()).isTrue();
        return URI.create(said.group(1));
    }

    private Matcher said() {
        return PAGE.matcher(host.client().stderr());
    }

    /** Signs in as a person does; how the command ended. */
    int finish() throws IOException, InterruptedException {
        visit(page());
        return exitCode();
    }

    int exitCode() throws InterruptedException {
        return host.client().exitCode(Host.PATIENCE);
    }

    String stderr() {
        return host.client().stderr();
    }

    /** Opens a page as a browser does. */
    static HttpResponse<String> visit(URI page) throws IOException, InterruptedException {
        return BROWSER.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        host.client().close();
    }
}
