package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** What a person sees on a terminal, and a pipe does not get. */
class TerminalOutputTest {
    private static final String ESCAPE = "\u001b[";

    @TempDir private Path folder;

    private TestInstallation newInstallation(int silentMs) {
        var bench = new TestInstallation(folder);
        ShellServer.healthy("quick").addTo(bench, "");
        String silent = "\"connectionTimeoutMs\": " + silentMs + ", \"maxRetries\": 0";
        bench.withServer("silent", "{\"command\": \"sleep\", \"args\": [\"60\"], " + silent + "}");
        return bench.save();
    }

    /** Runs a command on a terminal of its own: what appears on it. */
    private String runOnTerminal(TestInstallation bench, String command)
            throws IOException, InterruptedException {
        String launcher = TestInstallation.program().launcherCommand().getFirst();
        String line = "'%s' %s --config '%s'".formatted(launcher, command, bench.configFile());
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
    void progressLineNamesTheAwaitedServerAndIsErased() throws Exception {
        TestInstallation bench = newInstallation(5_000);
        String seen = runOnTerminal(bench, "servers");
        assertThat(seen).containsPattern("1 of 2 servers asked, [1-5] s; waiting for silent");
        String left = seen.substring(seen.lastIndexOf(ESCAPE + "2K"));
        assertThat(left).doesNotContain("waiting for").contains("quick", "silent", "doctor");
        assertThat(left).as("colours").contains(ESCAPE + "32m", ESCAPE + "31m");
    }

    /** A terminal cuts long rows: what is wrong must stand before what the table says anyway. */
    @Test
    void rowShowsTheErrorOfTheServer() throws Exception {
        var bench =
                new TestInstallation(folder)
                        .withServer("gone", "{\"command\": \"no-such-program\"}");
        String seen = runOnTerminal(bench.save(), "servers");
        assertThat(seen).contains("-      There is no program \"no-such-program\"");
    }

    @Test
    void pipedOutputHasNeitherProgressNorColors() throws Exception {
        TestInstallation.CommandResult outcome = newInstallation(2_000).run("servers");
        assertThat(outcome.out()).contains("quick", "silent").doesNotContain(ESCAPE);
        assertThat(outcome.err()).doesNotContain("waiting for").doesNotContain(ESCAPE);
    }
}
