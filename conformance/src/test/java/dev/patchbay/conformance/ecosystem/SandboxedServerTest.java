package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Servers in a sandbox, started by the packaged program. */
class SandboxedServerTest {
    @TempDir private Path folder;
    private TestInstallation installation;

    @BeforeEach
    void configure() throws IOException {
        installation = new TestInstallation(folder);
        Files.createDirectory(folder.resolve(".ssh"));
        Files.writeString(folder.resolve(".ssh/id"), "canary");
    }

    private static void requireBubblewrap() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/bwrap")), "there is no bubblewrap");
        Process probe =
                new ProcessBuilder(
                                List.of(
                                        "/usr/bin/bwrap",
                                        "--unshare-user",
                                        "--unshare-pid",
                                        "--unshare-net",
                                        "--ro-bind",
                                        "/",
                                        "/",
                                        "--proc",
                                        "/proc",
                                        "--",
                                        "/bin/sh",
                                        "-c",
                                        "exit 0"))
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.DISCARD)
                        .start();
        assumeTrue(probe.waitFor() == 0, "bubblewrap does not work here");
    }

    @Test
    void confinedServersWorkAndReportTheirLevel() throws Exception {
        requireBubblewrap();
        ShellServer.healthy("free").addTo(installation, "");
        ShellServer.healthy("usual").addTo(installation, "\"sandbox\": \"standard\"");
        ShellServer.healthy("narrow")
                .addTo(installation, "\"sandbox\": {\"read\": [\"small-server.sh\"]}");
        try (TestHost host = installation.save().connect()) {
            for (String id : List.of("free", "usual", "narrow")) {
                assertThat(host.callForText(id + ".who", "{}")).isEqualTo(id);
            }
            assertThat(host.server("free").at("sandbox").asText()).isEqualTo("none");
            assertThat(host.server("usual").at("sandbox").asText()).isEqualTo("standard");
            assertThat(host.server("narrow").at("sandbox").asText()).isEqualTo("strict");
        }
    }

    @Test
    void killedGatewayLeavesNoConfinedProcess() throws Exception {
        requireBubblewrap();
        ShellServer.healthy("one").addTo(installation, "\"sandbox\": \"standard\"");
        TestHost host = installation.save().connect();
        assertThat(host.callForText("one.who", "{}")).isEqualTo("one");
        List<Long> below = host.descendants();
        assertThat(below).as("the reaper, bubblewrap twice and the server").hasSizeGreaterThan(3);
        host.client().kill();
        host.assertGone(below);
        host.client().close();
    }

    @Test
    void serverThatCannotBeConfinedIsNotStarted() throws Exception {
        installation.env("PATCHBAY_SANDBOX", "landlock");
        Path trace = folder.resolve("started");
        installation.withServer(
                "boxed",
                """
                {"command": "/usr/bin/touch", "args": [%s],
                "sandbox": {"level": "strict", "network": ["api.example.com:443"]}}
                """
                        .formatted(StrictJson.quote(trace.toString())));
        ShellServer.healthy("other").addTo(installation, "");
        try (TestHost host = installation.save().connect()) {
            host.awaitStatus("boxed", "error");
            assertThat(host.lastError("boxed"))
                    .startsWith("SANDBOX_UNAVAILABLE: Server boxed cannot be started: ")
                    .contains("needs bubblewrap", "Install bubblewrap, or set network to false");
            assertThat(host.callForText("other.who", "{}")).isEqualTo("other");
        }
        assertThat(trace).doesNotExist();
    }

    @Test
    void replInASandboxDoesNotSeeCredentials() throws Exception {
        requireBubblewrap();
        Path launcher = Path.of(TestInstallation.program().launcherCommand().getFirst());
        // Named, because the program may be below a folder that is private in a sandbox.
        installation.withServer(
                "repl",
                """
                {"command": %s, "args": ["repl"], "env": {"JAVA_HOME": %s},
                "sandbox": {"level": "standard", "read": [%s]}}
                """
                        .formatted(
                                StrictJson.quote(launcher.toString()),
                                StrictJson.quote(System.getProperty("java.home")),
                                StrictJson.quote(launcher.getParent().toString())));
        try (TestHost host = installation.save().connect()) {
            host.awaitStatus("repl", "connected");
            String code =
                    "Stream.of(\"%s\", \"%s\").map(Path::of).map(Files::exists).toList()"
                            .formatted(folder.resolve(".ssh/id"), folder.resolve(".ssh"));
            String arguments = "{\"code\": " + StrictJson.quote(code) + "}";
            assertThat(host.callForText("repl.evaluate", arguments)).contains("[false, true]");
        }
    }
}
