package dev.patchbay.conformance.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running {@code patchbay serve} with four servers: one to call, one that is hostile, one that
 * can be switched off from outside, and one whose program does not exist.
 */
final class DashboardFixture implements AutoCloseable {
    /** What shows itself in the title of the page if it is read as HTML. */
    static final String MARKUP = "<img src=x onerror=document.title='hacked'>";

    static final int TOOL_COUNT = 2000;
    static final int MISSING_SERVER_COUNT = 40;

    private static final String MISSING_SERVER =
            "{\"command\": \"no-such-program-anywhere\", \"maxRetries\": 0}";

    private static final String FILTER = "\"tools\": {\"exclude\": [\"hidden\"]}";

    private static final Pattern LINK =
            Pattern.compile("Dashboard at (http://\\S+/)\nThe token is in (\\S+)\n");
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(20);

    private final Path folder;
    private final ServerScript switchableServer;
    private final TestHost host;

    private DashboardFixture(Path folder, boolean crowded) throws IOException {
        this.folder = folder;
        this.switchableServer = ServerScript.named("lamp", folder).tools("echo", "fail", "hang");
        Files.createFile(switchFile());
        var bench = new TestInstallation(folder);
        if (crowded) {
            addManyServers(bench);
        } else {
            bench.withServer("calc", script("calc", calcTools()).config());
            bench.withServer("hostile", script("hostile", hostileTools()).config(FILTER));
            bench.withServer("lamp", switchableServerConfig());
            bench.withServer("ghost", MISSING_SERVER);
        }
        String file = bench.save().configFile().toString();
        this.host =
                bench.start(
                        TestInstallation.program()
                                .launcherCommand(
                                        "serve", "--config", file, "--listen", "127.0.0.1:0"));
    }

    static DashboardFixture open(Path folder) throws IOException {
        return awaitReady(new DashboardFixture(folder, false));
    }

    /** With one server that has as many tools as one may have, and forty that do not work. */
    static DashboardFixture openWithManyServers(Path folder) throws IOException {
        return awaitReady(new DashboardFixture(folder, true));
    }

    private void addManyServers(TestInstallation bench) {
        var tools = new ArrayList<String>();
        for (int i = 0; i < TOOL_COUNT; i++) {
            tools.add(
                    """
                    {"name": "find_record_%d", "x-behaviour": "echo", "description": "Finds what \
                    is kept under the number %d.", "inputSchema": {"type": "object"}}\
                    """
                            .formatted(i, i));
        }
        bench.withServer(
                "archive", script("archive", "[" + String.join(",", tools) + "]").config());
        for (int i = 0; i < MISSING_SERVER_COUNT; i++) {
            bench.withServer("ghost-" + i, MISSING_SERVER);
        }
    }

    private static DashboardFixture awaitReady(DashboardFixture stage) {
        assertThat(TestHost.await(TestHost.TIMEOUT, () -> stage.link().find()))
                .as(stage.host.client().stderr())
                .isTrue();
        return stage;
    }

    /** Where the page is. */
    String origin() {
        return linkPart(1);
    }

    String token() {
        try {
            return Files.readString(Path.of(linkPart(2))).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the configuration file says now. */
    String configuration() throws IOException {
        return Files.readString(folder.resolve("patchbay.json"));
    }

    /** The server that can be switched off. */
    ServerScript switchableServer() {
        return switchableServer;
    }

    /** The file without which it does not start. */
    Path switchFile() {
        return folder.resolve("lamp.on");
    }

    private String linkPart(int part) {
        Matcher link = link();
        assertThat(link.find()).isTrue();
        return link.group(part);
    }

    private Matcher link() {
        return LINK.matcher(host.client().stderr());
    }

    private ServerScript script(String name, String tools) {
        return ServerScript.named(name, folder).withToolDefinitions(tools);
    }

    private String switchableServerConfig() {
        String command =
                "test -e %s || { echo 'The lamp is off' >&2; exit 3; }; exec \"$@\""
                        .formatted(switchFile());
        var words = new ArrayList<>(List.of("-c", command, "sh"));
        words.addAll(switchableServer.command());
        List<String> quoted = words.stream().map(StrictJson::quote).toList();
        return "{\"command\": \"/bin/sh\", \"args\": [%s], \"maxRetries\": 0}"
                .formatted(String.join(",", quoted));
    }

    private static String calcTools() {
        return """
        [{"name": "add", "x-behaviour": "echo", "description": "Adds two numbers.",
          "inputSchema": {"type": "object", "required": ["a", "b"], "properties": {
            "a": {"type": "integer", "description": "the first"},
            "b": {"type": "integer"},
            "note": {"type": "string"},
            "mode": {"enum": ["fast", "exact"]},
            "tags": {"type": "array", "items": {"type": "string"}},
            "page": {"type": "object", "properties": {"size": {"type": "integer"}}}}}},
         {"name": "divide", "x-behaviour": "fail", "description": "Divides two numbers.",
          "inputSchema": {"type": "object", "properties": {"password": {"type": "string"}}}}]
        """;
    }

    private static String hostileTools() {
        String markup = StrictJson.quote(MARKUP + "<script>document.title='hacked'</script>");
        return """
        [{"name": "trap", "x-behaviour": "echo", "title": %1$s, "description": %1$s,
          "inputSchema": {"type": "object", "properties": {
            %1$s: {"type": "string", "description": %1$s, "default": %1$s},
            "choice": {"enum": [%1$s]}}}},
         {"name": "hidden", "inputSchema": {"type": "object"}},
         {"name": "", "inputSchema": {"type": "object"}}]
        """
                .formatted(markup);
    }

    /** Tells the gateway to end, and proves that it does. */
    @Override
    public void close() throws IOException {
        try {
            host.client().signal("TERM");
            assertThat(host.client().exitCode(SHUTDOWN_TIMEOUT))
                    .as(host.client().stderr())
                    .isZero();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            host.client().close();
        }
    }
}
