package dev.patchbay.conformance.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.Host;
import dev.patchbay.conformance.ecosystem.Workbench;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
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
final class Stage implements AutoCloseable {
    /** What shows itself in the title of the page if it is read as HTML. */
    static final String MARKUP = "<img src=x onerror=document.title='hacked'>";

    static final int TOOLS = 2000;
    static final int GHOSTS = 40;

    private static final String GHOST =
            "{\"command\": \"no-such-program-anywhere\", \"maxRetries\": 0}";

    private static final String FILTER = "\"tools\": {\"exclude\": [\"hidden\"]}";

    private static final Pattern LINK =
            Pattern.compile("Dashboard at (http://\\S+/)#token=(\\S+)\n");
    private static final Duration END_PATIENCE = Duration.ofSeconds(20);

    private final Path folder;
    private final ServerScript lamp;
    private final Host host;

    private Stage(Path folder, boolean crowded) throws IOException {
        this.folder = folder;
        this.lamp = ServerScript.named("lamp", folder).tools("echo", "fail", "hang");
        Files.createFile(lampSwitch());
        var bench = new Workbench(folder);
        if (crowded) {
            crowd(bench);
        } else {
            bench.with("calc", script("calc", calcTools()).config());
            bench.with("hostile", script("hostile", hostileTools()).config(FILTER));
            bench.with("lamp", switched());
            bench.with("ghost", GHOST);
        }
        String file = bench.save().file().toString();
        this.host =
                bench.start(
                        Workbench.program()
                                .launcher("serve", "--config", file, "--listen", "127.0.0.1:0"));
    }

    static Stage open(Path folder) throws IOException {
        return alive(new Stage(folder, false));
    }

    /** With one server that has as many tools as one may have, and forty that do not work. */
    static Stage crowded(Path folder) throws IOException {
        return alive(new Stage(folder, true));
    }

    private void crowd(Workbench bench) {
        var tools = new ArrayList<String>();
        for (int i = 0; i < TOOLS; i++) {
            tools.add(
                    """
                    {"name": "find_record_%d", "x-behaviour": "echo", "description": "Finds what \
                    is kept under the number %d.", "inputSchema": {"type": "object"}}\
                    """
                            .formatted(i, i));
        }
        bench.with("archive", script("archive", "[" + String.join(",", tools) + "]").config());
        for (int i = 0; i < GHOSTS; i++) {
            bench.with("ghost-" + i, GHOST);
        }
    }

    private static Stage alive(Stage stage) {
        assertThat(Host.await(Host.PATIENCE, () -> stage.link().find()))
                .as(stage.host.client().stderr())
                .isTrue();
        return stage;
    }

    /** Where the page is. */
    String origin() {
        return linked(1);
    }

    String token() {
        return linked(2);
    }

    /** What the configuration file says now. */
    String configuration() throws IOException {
        return Files.readString(folder.resolve("patchbay.json"));
    }

    /** The server that can be switched off. */
    ServerScript lamp() {
        return lamp;
    }

    /** The file without which it does not start. */
    Path lampSwitch() {
        return folder.resolve("lamp.on");
    }

    private String linked(int part) {
        Matcher link = link();
        assertThat(link.find()).isTrue();
        return link.group(part);
    }

    private Matcher link() {
        return LINK.matcher(host.client().stderr());
    }

    private ServerScript script(String name, String tools) {
        return ServerScript.named(name, folder).defining(tools);
    }

    private String switched() {
        String command =
                "test -e %s || { echo 'The lamp is off' >&2; exit 3; }; exec \"$@\""
                        .formatted(lampSwitch());
        var words = new ArrayList<>(List.of("-c", command, "sh"));
        words.addAll(lamp.command());
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
            assertThat(host.client().exitCode(END_PATIENCE)).as(host.client().stderr()).isZero();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            host.client().close();
        }
    }
}
