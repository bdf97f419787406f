package dev.patchbay.conformance.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A headless Chromium, driven by W3C WebDriver over plain HTTP. */
final class HeadlessBrowser implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    private static final Duration COMMAND_MAX = Duration.ofSeconds(60);
    private static final long POLL_NANOS = 50_000_000;
    private static final int ATTEMPTS_MAX = 50;
    private static final String ENTER = "\\uE007";
    private static final String ESCAPE = "\\uE00C";

    private final Process driver;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String session;

    private HeadlessBrowser(Process driver, String origin, Path profile)
            throws IOException, InterruptedException {
        this.driver = driver;
        String id =
                send("POST", origin + "/session", capabilities(profile)).at("sessionId").asText();
        this.session = origin + "/session/" + id;
    }

    /** Starts one; what it writes goes into the folder. */
    static HeadlessBrowser start(Path folder) throws IOException, InterruptedException {
        Path said = folder.resolve("chromedriver.txt");
        Process driver =
                new ProcessBuilder("chromedriver", "--port=0")
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        boolean ready = TestHost.await(TestHost.TIMEOUT, () -> port(said).find());
        assertThat(ready).as("chromedriver has not started: %s", read(said)).isTrue();
        Matcher port = port(said);
        assertThat(port.find()).isTrue();
        String origin = "http://127.0.0.1:" + port.group(1);
        return new HeadlessBrowser(driver, origin, folder.resolve("profile"));
    }

    private static Matcher port(Path said) {
        return PORT.matcher(read(said));
    }

    private static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String capabilities(Path profile) {
        List<String> arguments =
                Stream.of(
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--disable-quic",
                                "--no-first-run",
                                "--disable-background-networking",
                                "--disable-component-update",
                                "--disable-sync",
                                "--hide-scrollbars",
                                "--window-size=1280,900",
                                "--user-data-dir=" + profile)
                        .map(StrictJson::quote)
                        .toList();
        return """
        {"capabilities": {"alwaysMatch": {"browserName": "chrome",
          "goog:loggingPrefs": {"browser": "ALL"},
          "goog:chromeOptions": {"args": [%s]}}}}
        """
                .formatted(String.join(",", arguments));
    }

    void open(String url) throws IOException, InterruptedException {
        // An address that differs behind the # only would not be loaded anew.
        command("POST", "/url", "{\"url\": \"about:blank\"}");
        command("POST", "/url", "{\"url\": %s}".formatted(StrictJson.quote(url)));
    }

    /** The value of an expression of the page. */
    JsonTree evaluate(String expression) throws IOException, InterruptedException {
        String script = StrictJson.quote("return " + expression);
        return command("POST", "/execute/sync", "{\"script\": %s, \"args\": []}".formatted(script));
    }

    /** Waits until an expression of the page is true. */
    void await(String expression) throws IOException, InterruptedException {
        long end = System.nanoTime() + TestHost.TIMEOUT.toNanos();
        while (evaluate("Boolean(" + expression + ")") != JsonTree.Literal.TRUE) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "Never came true: " + expression + "\nThe page says: " + text("body"));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** The text that is shown of the first element that a selector finds; empty without one. */
    String text(String selector) throws IOException, InterruptedException {
        String element = "document.querySelector(%s)".formatted(StrictJson.quote(selector));
        return evaluate(element + "?.innerText ?? ''").asText();
    }

    /** The texts of all elements that a selector finds. */
    List<String> texts(String selector) throws IOException, InterruptedException {
        String all = "[...document.querySelectorAll(%s)]".formatted(StrictJson.quote(selector));
        return items(evaluate(all + ".map((it) => it.innerText)")).stream()
                .map(JsonTree::asText)
                .toList();
    }

    /** Clicks where a person would: the element must be there and in nobody's shadow. */
    void click(String selector) throws IOException, InterruptedException {
        for (int attempt = 1; !tryClick(selector, attempt == ATTEMPTS_MAX); attempt++) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Whether it could be clicked; it may have been replaced since it was found. */
    private boolean tryClick(String selector, boolean last)
            throws IOException, InterruptedException {
        String path = session + "/element/" + find(selector) + "/click";
        var response = exchange("POST", path, "{}");
        assertThat(response.statusCode() == 200 || !last).as(response.body()).isTrue();
        return response.statusCode() == 200;
    }

    /** Types into an element. */
    void type(String selector, String text) throws IOException, InterruptedException {
        sendKeys(selector, StrictJson.quote(text));
    }

    void pressEnter(String selector) throws IOException, InterruptedException {
        sendKeys(selector, "\"" + ENTER + "\"");
    }

    void pressEscape(String selector) throws IOException, InterruptedException {
        sendKeys(selector, "\"" + ESCAPE + "\"");
    }

    private void sendKeys(String selector, String quoted) throws IOException, InterruptedException {
        String path = "/element/" + find(selector) + "/value";
        command("POST", path, "{\"text\": %s}".formatted(quoted));
    }

    private String find(String selector) throws IOException, InterruptedException {
        await("document.querySelector(%s)".formatted(StrictJson.quote(selector)));
        String body =
                "{\"using\": \"css selector\", \"value\": %s}"
                        .formatted(StrictJson.quote(selector));
        JsonTree found = command("POST", "/element", body);
        return ((JsonTree.Obj) found).members().getFirst().value().asText();
    }

    /** Shows the page as a screen of that size does. */
    void resize(int width, int height, boolean dark) throws IOException, InterruptedException {
        devTools(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\": %d, \"height\": %d, \"deviceScaleFactor\": 1, \"mobile\": %s}"
                        .formatted(width, height, width < 600));
        devTools(
                "Emulation.setEmulatedMedia",
                "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"%s\"}]}"
                        .formatted(dark ? "dark" : "light"));
    }

    private void devTools(String name, String params) throws IOException, InterruptedException {
        command(
                "POST",
                "/goog/cdp/execute",
                "{\"cmd\": \"%s\", \"params\": %s}".formatted(name, params));
    }

    void screenshot(Path file) throws IOException, InterruptedException {
        String picture = command("GET", "/screenshot", "").asText();
        Files.write(file, Base64.getDecoder().decode(picture));
    }

    /** What the console of the browser has said since it was last asked, warnings and worse. */
    List<String> consoleWarnings() throws IOException, InterruptedException {
        var complaints = new ArrayList<String>();
        for (JsonTree entry : items(command("POST", "/se/log", "{\"type\": \"browser\"}"))) {
            if (!entry.at("level").asText().equals("INFO")) {
                complaints.add(entry.at("message").asText());
            }
        }
        return complaints;
    }

    private static List<JsonTree> items(JsonTree array) {
        return ((JsonTree.Arr) array).items();
    }

    private JsonTree command(String method, String path, String body)
            throws IOException, InterruptedException {
        return send(method, session + path, body);
    }

    private JsonTree send(String method, String url, String body)
            throws IOException, InterruptedException {
        HttpResponse<String> response = exchange(method, url, body);
        JsonTree answer = StrictJson.parse(response.body()).at("value");
        assertThat(response.statusCode()).as("%s %s: %s", method, url, answer).isEqualTo(200);
        return answer;
    }

    private HttpResponse<String> exchange(String method, String url, String body)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(COMMAND_MAX)
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> below = driver.descendants().toList();
        try {
            command("DELETE", "", "");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            driver.destroy();
            below.forEach(ProcessHandle::destroyForcibly);
            http.shutdownNow();
        }
    }
}
