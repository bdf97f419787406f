package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Output on a terminal, compared with a pipe. */
class CliTerminalTest {
    private static final String ESCAPE = "\u001b[";

    @TempDir private Path folder;

    private TestInstallation newInstallation(int silentMs) {
        var installation = new TestInstallation(folder);
        ShellServer.healthy("quick").addTo(installation, "");
        String silent = "\"connectionTimeoutMs\": " + silentMs + ", \"maxRetries\": 0";
        installation.withServer(
                "silent", "{\"command\": \"sleep\", \"args\": [\"60\"], " + silent + "}");
        return installation.save();
    }

    /** Runs a command on a pseudo-terminal and returns what it shows. */
    private String runOnTerminal(TestInstallation installation, String command)
            throws IOException, InterruptedException {
        String launcher = TestInstallation.program().launcherCommand().getFirst();
        String line =
                "'%s' %s --config '%s'".formatted(launcher, command, installation.configFile());
        var builder = new ProcessBuilder(List.of("script", "-qec", line, "/dev/null"));
        builder.directory(folder.toFile()).redirectErrorStream(true).environment().clear();
        builder.environment().putAll(installation.environment());
        builder.environment().put("TERM", "xterm");
        Process process = builder.start();
        process.getOutputStream().close();
        String seen = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return seen;
    }

    @Test
    void progressLineNamesTheAwaitedServerAndIsErased() throws Exception {
        TestInstallation installation = newInstallation(5_000);
        String seen = runOnTerminal(installation, "servers");
        assertThat(seen).containsPattern("1 of 2 servers done, [1-5] s; waiting for silent");
        String left = seen.substring(seen.lastIndexOf(ESCAPE + "2K"));
        assertThat(left).doesNotContain("waiting for").contains("quick", "silent", "doctor");
        assertThat(left).as("colours").contains(ESCAPE + "32m", ESCAPE + "31m");
    }

    /** A terminal cuts long rows, so the error comes first. */
    @Test
    void rowShowsTheErrorOfTheServer() throws Exception {
        var installation =
                new TestInstallation(folder)
                        .withServer("gone", "{\"command\": \"no-such-program\"}");
        String seen = runOnTerminal(installation.save(), "servers");
        assertThat(seen).contains("-      Command not found: no-such-program");
    }

    @Test
    void pipedOutputHasNeitherProgressNorColors() throws Exception {
        TestInstallation.CommandResult outcome = newInstallation(2_000).run("servers");
        assertThat(outcome.out()).contains("quick", "silent").doesNotContain(ESCAPE);
        assertThat(outcome.err()).doesNotContain("waiting for").doesNotContain(ESCAPE);
    }
}
