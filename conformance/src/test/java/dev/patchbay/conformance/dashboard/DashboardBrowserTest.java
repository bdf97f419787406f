package dev.patchbay.conformance.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ProcessInspector;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a person sees and does in the dashboard of a running gateway. */
@Tag("browser")
class DashboardBrowserTest {
    private static final Path PICTURES = Path.of("target", "dashboard");
    private static final String UNNAMED_CONTROLS =
            "[...document.querySelectorAll('button, input, select, textarea, svg[role]')]"
                    + ".filter((it) => !it.innerText?.trim() && !it.labels?.length"
                    + " && !it.getAttribute('aria-label')).map((it) => it.outerHTML)";
    @TempDir private static Path folder;
    private static DashboardFixture fixture;
    private static HeadlessBrowser browser;

    @BeforeAll
    static void start() throws Exception {
        fixture = DashboardFixture.open(folder);
        browser = HeadlessBrowser.start(folder);
        Files.createDirectories(PICTURES);
        openPage();
    }

    /** Opens the page by the link that was printed, and waits until it is alive. */
    private static void openPage() throws Exception {
        browser.open(fixture.origin() + "#token=" + fixture.token());
        browser.await("document.querySelectorAll('.server').length === 4");
        browser.await("document.querySelector('#live').dataset.state === 'on'");
    }

    @AfterAll
    static void stop() throws Exception {
        // A page that is still open must not keep the gateway from ending.
        try {
            fixture.close();
        } finally {
            if (browser != null) {
                browser.close();
            }
        }
    }

    @BeforeEach
    void openStartPage() throws Exception {
        browser.resize(1280, 900, false);
        openPage();
    }

    @AfterEach
    void assertNoConsoleWarnings() throws Exception {
        assertThat(browser.consoleWarnings()).isEmpty();
        assertThat(browser.evaluate("document.title").asText()).doesNotContain("hacked");
    }

    private static String card(String server) {
        return ".server[data-server=\"" + server + "\"]";
    }

    private static void awaitState(String server, String state) throws Exception {
        browser.await(
                "document.querySelector('%s')?.dataset.state === '%s'"
                        .formatted(card(server), state));
    }

    private static void navigate(String address) throws Exception {
        browser.evaluate("void (location.hash = '" + address + "')");
    }

    @Test
    void everyServerIsListedWithItsState() throws Exception {
        awaitState("calc", "connected");
        awaitState("ghost", "error");
        browser.await(
                "document.querySelector('%s [data-reason=COMMAND_MISSING]')"
                        .formatted(card("ghost")));
        assertThat(browser.text(card("ghost"))).contains("no-such-program-anywhere", "Next:");
        assertThat(browser.text(card("calc"))).contains("Last response", "Restarts", "stdio");
        assertThat(browser.text(card("ghost") + " .facts dd"))
                .as("tools, not asked")
                .isEqualTo("–");
        assertThat(browser.evaluate("location.hash").asText()).isEqualTo("#/servers");
    }

    /** A browser has six connections to one place, and a stream takes one of them. */
    @Test
    void closedPagesHoldNoConnection() throws Exception {
        for (int i = 0; i < 7; i++) {
            browser.open(fixture.origin());
            browser.await("document.querySelectorAll('.server').length === 4");
        }
    }

    @Test
    void searchFindsATool() throws Exception {
        awaitState("calc", "connected");
        browser.type("body", "/");
        browser.await("document.activeElement.id === 'search'");
        browser.type("#search", "divides");
        browser.await("document.querySelectorAll('[data-tool]').length === 1");
        browser.pressEnter("#search");
        browser.await("document.querySelector('.sheet h2')?.innerText === 'calc.divide'");
    }

    @Test
    void formCallIsShownAsSentAndInTheLog() throws Exception {
        awaitState("calc", "connected");
        navigate("#/tools/calc.add");
        browser.await("document.querySelector('.sheet form')");
        List<String> labels = browser.texts(".sheet label .field-name");
        assertThat(labels).containsExactly("a", "b", "note", "mode", "tags", "size");
        type("a", "12345678901234567890");
        type("b", "7");
        type("tags", "one\ntwo");
        browser.click(".sheet button.primary");
        browser.await("document.querySelector('[data-outcome=ok].answer')");
        String request = browser.text("[aria-label=Request] pre");
        assertThat(request).contains("\"method\": \"tools/call\"", "12345678901234567890");
        assertThat(browser.text("[aria-label=Response] pre")).contains("\"jsonrpc\": \"2.0\"");
        browser.click("[aria-label=Request] button");
        JsonTree sent = StrictJson.parse(browser.text("[aria-label=Request] pre"));
        assertThat(sent.at("params", "_meta", ClientMessages.VERSION_KEY).asText())
                .isEqualTo("2026-07-28");
        assertThat(sent.at("params", "arguments").toString())
                .isEqualTo("{\"a\":12345678901234567890,\"b\":7,\"tags\":[\"one\",\"two\"]}");

        navigate("#/calls");
        String well = "[data-call][data-outcome=ok]"; // others of this page's calls were refused
        browser.await(
                "document.querySelector('%s .name')?.innerText === 'calc.add'".formatted(well));
        browser.click(well);
        browser.await("document.querySelector('[aria-label=\"Request params\"]')");
        assertThat(browser.text(".sheet")).contains("calc.add", "patchbay-dashboard");
        assertThat(browser.text("[aria-label=\"Request params\"]"))
                .contains("12345678901234567890");
    }

    private static void type(String field, String text) throws Exception {
        String isField = "it.querySelector('.field-name').innerText === '" + field + "'";
        String label = "[...document.querySelectorAll('.sheet label')].find((it) => " + isField;
        String id = browser.evaluate(label + ").htmlFor").asText();
        browser.type("#" + id, text);
    }

    @Test
    void typedTextSurvivesAStreamReconnect() throws Exception {
        awaitState("calc", "connected");
        navigate("#/tools/calc.add");
        browser.await("document.querySelector('.sheet form')");
        type("note", "half a thought");
        browser.evaluate("void window.dispatchEvent(new PageTransitionEvent('pagehide'))");
        browser.await("document.querySelector('#live').dataset.state === 'off'");
        browser.evaluate(
                "void window.dispatchEvent("
                        + "new PageTransitionEvent('pageshow', {persisted: true}))");
        browser.await("document.querySelector('#live').dataset.state === 'on'");
        browser.await("document.querySelectorAll('[data-tool]').length > 1");
        String typed = "[...document.querySelectorAll('.sheet textarea')].map((it) => it.value)";
        assertThat(browser.evaluate(typed).toString()).contains("half a thought");
    }

    @Test
    void invalidArgumentsAreRejectedWithAMessage() throws Exception {
        awaitState("calc", "connected");
        navigate("#/tools/calc.add");
        browser.click(".sheet button.primary");
        browser.await("document.querySelector('.fault').innerText.includes('\"a\" is required')");
        browser.click(".form-foot .quiet");
        browser.await("!document.querySelector('.raw').hidden");
        browser.evaluate("void (document.querySelector('.raw').value = '{\"a\": \"no\"}')");
        browser.click(".sheet button.primary");
        browser.await("document.querySelector('.answer.bad')");
        assertThat(browser.text(".answer.bad")).contains("Invalid arguments for");
        navigate("#/calls");
        browser.await("document.querySelector('[data-outcome=invalid_arguments]')");
    }

    @Test
    void failedCallsCanBeFilteredAndSecretsAreMasked() throws Exception {
        awaitState("calc", "connected");
        navigate("#/tools/calc.divide");
        type("password", "correct-horse");
        browser.click(".sheet button.primary");
        browser.await("document.querySelector('.answer.bad')");
        navigate("#/calls");
        browser.click(".filters button");
        browser.type("#search", "divide tool_error");
        browser.await("document.querySelectorAll('[data-call]').length > 0");
        assertThat(browser.texts("[data-call] .name")).containsOnly("calc.divide");
        browser.click("[data-call]");
        browser.await("document.querySelector('[aria-label=\"Request params\"]')");
        assertThat(browser.text(".sheet")).contains("***").doesNotContain("correct-horse");
    }

    @Test
    void killedServerTurnsRedAndRecovers() throws Exception {
        awaitState("lamp", "connected");
        Files.delete(fixture.switchFile());
        assertThat(
                        ProcessInspector.signal(
                                fixture.switchableServer().recording().pids().getLast(), "KILL"))
                .isTrue();
        awaitState("lamp", "error");
        browser.await(
                "document.querySelector('%s')?.innerText.includes('Next:')"
                        .formatted(card("lamp")));
        assertThat(browser.evaluate(stateColour("lamp")).asText())
                .isNotEqualTo(browser.evaluate(stateColour("calc")).asText());
        Files.createFile(fixture.switchFile());
        browser.click(card("lamp") + " [data-action=reconnect]");
        awaitState("lamp", "connected");
        assertThat(browser.text(card("lamp"))).doesNotContain("Next:");
    }

    private static String stateColour(String server) {
        return "getComputedStyle(document.querySelector('%s .state')).color"
                .formatted(card(server));
    }

    @Test
    void disablingAServerHidesItsTools() throws Exception {
        awaitState("lamp", "connected");
        browser.click(card("lamp") + " [data-action=disable]");
        awaitState("lamp", "disabled");
        assertThat(fixture.configuration()).as("of the process, not the file").contains("\"lamp\"");
        assertThat(fixture.configuration()).doesNotContain("enabled", "disabled");
        navigate("#/tools");
        browser.await("document.querySelector('[data-tool=\"calc.add\"]')");
        browser.await("!document.querySelector('[data-tool^=\"lamp.\"]')");
        navigate("#/servers");
        browser.click(card("lamp") + " [data-action=enable]");
        awaitState("lamp", "connected");
        navigate("#/tools");
        browser.await("document.querySelector('[data-tool=\"lamp.echo\"]')");
    }

    @Test
    void cardShowsServerStatistics() throws Exception {
        for (String server : List.of("calc", "lamp", "hostile")) {
            awaitState(server, "connected");
        }
        awaitState("ghost", "error");
        assertThat(browser.text(card("hostile")))
                .contains("1 tool filtered by the configuration", "1 thing withheld from clients");
        browser.click(card("hostile") + " .note summary");
        int asked = fixture.switchableServer().recording().receivedCount("tools/list");
        browser.click(card("lamp") + " [data-action=refresh]");
        browser.await("!document.querySelector('%s [disabled]')".formatted(card("lamp")));
        assertThat(fixture.switchableServer().recording().receivedCount("tools/list"))
                .isGreaterThan(asked);

        call("lamp.fail");
        browser.await("document.querySelector('.answer.bad')");
        call("lamp.hang");
        navigate("#/servers");
        awaitText("lamp", "In flight\\n1");
        assertThat(browser.text(card("lamp"))).contains("Last response", "on average");
        assertThat(browser.text(card("lamp"))).containsPattern("call.*, [1-9][0-9]* failed");
        assertThat(get("metrics", fixture.token()).body())
                .contains("patchbay_calls_in_flight{server=\"lamp\"} 1\n")
                .contains("patchbay_server_tools{server=\"calc\"} 2\n")
                .contains("patchbay_server_withheld{server=\"hostile\"} 1\n");
        assertThat(get("healthz", "").body())
                .isEqualTo("{\"status\":\"ok\",\"servers\":{\"connected\":3,\"error\":1}}");
        browser.click(card("lamp") + " [data-action=reconnect]");
        awaitText("lamp", "In flight\\n0");
    }

    private static void call(String tool) throws Exception {
        navigate("#/tools/" + tool);
        browser.await("document.querySelector('.sheet h2')?.innerText === '%s'".formatted(tool));
        browser.click(".sheet button.primary");
    }

    private static void awaitText(String server, String text) throws Exception {
        browser.await(
                "document.querySelector('%s')?.innerText.includes('%s')"
                        .formatted(card(server), text));
    }

    @Test
    void serverTextIsNotInterpretedAsHtml() throws Exception {
        awaitState("hostile", "connected");
        navigate("#/tools/hostile.trap");
        browser.await("document.querySelector('.sheet form')");
        assertThat(browser.text(".sheet .prose")).startsWith(DashboardFixture.MARKUP);
        assertThat(browser.texts(".sheet .field-name"))
                .anyMatch(it -> it.startsWith(DashboardFixture.MARKUP));
        browser.click(".sheet button.primary");
        browser.await("document.querySelector('.answer')");
        assertThat(browser.evaluate("document.querySelectorAll('main img, main script').length"))
                .isEqualTo(StrictJson.parse("0"));
    }

    @Test
    void keyboardNavigationWorks() throws Exception {
        awaitState("calc", "connected");
        browser.type("body", "2");
        browser.await("location.hash === '#/tools'");
        browser.await("document.querySelectorAll('[data-tool]').length > 1");
        browser.type("body", "jj");
        browser.await("document.activeElement === document.querySelectorAll('[data-tool]')[1]");
        browser.type("body", "k");
        browser.await("document.activeElement === document.querySelectorAll('[data-tool]')[0]");
        browser.pressEnter("[data-tool]:focus");
        browser.await("document.querySelector('.sheet h2')");
        browser.pressEscape("body");
        browser.await("location.hash === '#/tools'");
        browser.type("body", "?");
        browser.await("document.querySelector('#keys').open");
        browser.pressEscape("#keys button");
        browser.await("!document.querySelector('#keys').open");
    }

    @Test
    void pageIsReadableOnAPhoneInLightAndDark() throws Exception {
        awaitState("calc", "connected");
        for (String view : List.of("servers", "tools", "calls")) {
            for (boolean dark : new boolean[] {false, true}) {
                browser.resize(390, 844, dark);
                navigate("#/" + view);
                browser.await(
                        "document.querySelector('[data-tab=%s][aria-current]')".formatted(view));
                assertThat(browser.evaluate("document.documentElement.scrollWidth").toString())
                        .as("width of %s", view)
                        .isEqualTo("390");
                browser.screenshot(PICTURES.resolve(view + (dark ? "-dark.png" : "-light.png")));
            }
        }
        String dark = browser.evaluate("getComputedStyle(document.body).backgroundColor").asText();
        browser.resize(390, 844, false);
        assertThat(browser.evaluate("getComputedStyle(document.body).backgroundColor").asText())
                .isNotEqualTo(dark);
    }

    @Test
    void everyControlHasAName() throws Exception {
        for (String view : List.of("servers", "tools/calc.add", "calls")) {
            navigate("#/" + view);
            browser.await("document.querySelector('main button, main input')");
            assertThat(browser.evaluate(UNNAMED_CONTROLS).toString()).isEqualTo("[]");
        }
    }

    @Test
    void nothingIsShownWithoutAToken() throws Exception {
        var paths = List.of("api/overview", "api/tools", "api/calls", "api/events", "metrics");
        for (String path : paths) {
            assertThat(get(path, "").statusCode()).as(path).isEqualTo(401);
            assertThat(get(path, "wrong").statusCode()).as(path).isEqualTo(401);
        }
        assertThat(get("metrics", fixture.token()).body()).contains("patchbay_server_state");
        browser.evaluate("void sessionStorage.clear()");
        browser.open(fixture.origin());
        browser.await("document.querySelector('.login')");
        assertThat(browser.text("main")).doesNotContain("calc");
        browser.type("#token", "wrong");
        browser.pressEnter("#token");
        browser.await("document.querySelector('.login .fault')?.innerText.includes('not valid')");
        browser.type("#token", fixture.token());
        browser.pressEnter("#token");
        browser.await("document.querySelectorAll('.server').length === 4");
        assertThat(browser.consoleWarnings()).isNotEmpty().allMatch(it -> it.contains("401"));
    }

    private static HttpResponse<String> get(String path, String shown) throws Exception {
        var url = URI.create(fixture.origin() + path);
        var request = HttpRequest.newBuilder(url).timeout(TestHost.TIMEOUT);
        if (!shown.isEmpty()) {
            request.header("Authorization", "Bearer " + shown);
        }
        try (var http = HttpClient.newHttpClient()) {
            return http.send(request.build(), BodyHandlers.ofString());
        }
    }
}
