package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a person sees on a terminal, and a pipe does not get. */
class TerminalTest {
    private static final String ESCAPE = "\u001b[";

    @TempDir private Path folder;

    private Workbench bench(int silentMs) {
        var bench = new Workbench(folder);
        SmallServer.healthy("quick").into(bench, "");
        String silent = "\"connectionTimeoutMs\": " + silentMs + ", \"maxRetries\": 0";
        bench.with("silent", "{\"command\": \"sleep\", \"args\": [\"60\"], " + silent + "}");
        return bench.save();
    }

    /** Runs a command on a terminal of its own: what appears on it. */
    private String onATerminal(Workbench bench, String command)
            throws IOException, InterruptedException {
        String launcher = Workbench.program().launcher().getFirst();
        String line = "'%s' %s --config '%s'".formatted(launcher, command, bench.file());
        var builder = new ProcessBuilder(List.of("script", "-qec", line, "/dev/null"));
        builder.directory(folder.toFile()).redirectErrorStream(true).environment().clear();
        builder.environment().putAll(bench.environment());
        builder.environment().put("TERM", "xterm");
        Process process = builder.start();
        process.getOutputStream().close();
        String seen = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return seen;
    }

    @Test
    void whoIsWaitedForIsToldAndThenGone() throws Exception {
        Workbench bench = bench(5_000);
        String seen = onATerminal(bench, "servers");
        assertThat(seen).containsPattern("1 of 2 servers asked, [1-5] s; waiting for silent");
        String left = seen.substring(seen.lastIndexOf(ESCAPE + "2K"));
        assertThat(left).doesNotContain("waiting for").contains("quick", "silent", "doctor");
        assertThat(left).as("colours").contains(ESCAPE + "32m", ESCAPE + "31m");
    }

    /** A terminal cuts long rows: what is wrong must stand before what the table says anyway. */
    @Test
    void aRowSaysWhatIsWrongWithTheServer() throws Exception {
        var bench = new Workbench(folder).with("gone", "{\"command\": \"no-such-program\"}");
        String seen = onATerminal(bench.save(), "servers");
        assertThat(seen).contains("-      There is no program \"no-such-program\"");
    }

    @Test
    void aPipeGetsNeitherProgressNorColours() throws Exception {
        Workbench.Outcome outcome = bench(2_000).run("servers");
        assertThat(outcome.out()).contains("quick", "silent").doesNotContain(ESCAPE);
        assertThat(outcome.err()).doesNotContain("waiting for").doesNotContain(ESCAPE);
    }
}
