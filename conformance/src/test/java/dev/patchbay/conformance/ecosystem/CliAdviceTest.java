package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.ecosystem.TestInstallation.CommandResult;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Suggestions for misspelt names, and the diagnosis of a single server. */
class CliAdviceTest {
    private static final String TOOLS =
            """
            {"tools":[{"name":"echo","inputSchema":{"type":"object",\
            "properties":{"n":{"type":"integer"}},"required":["n"]}}]}\
            """;

    @TempDir private static Path folder;

    private static TestInstallation installation;

    @BeforeAll
    static void configure() throws IOException {
        installation = new TestInstallation(folder);
        BrokenServers.writeServer(folder);
        Path list = Files.writeString(folder.resolve("tools.json"), TOOLS);
        installation.withServer("a", BrokenServers.workingEntry(folder, list));
        installation.withServer("bad", "{\"command\": \"no-such-program\", \"maxRetries\": 0}");
        installation.save();
    }

    @Test
    void misspeltNamesAreReportedWithSuggestions() throws InterruptedException {
        CommandResult tool = installation.run("call", "a.ecco", "n=1");
        CommandResult argument = installation.run("call", "a.echo", "m=1");
        CommandResult server = installation.run("disable", "bda");

        assertThat(tool.err()).contains("Did you mean a.echo?");
        assertThat(argument.err())
                .contains("Invalid arguments for a.echo:")
                .contains("Unknown argument \"m\".")
                .contains("Usage: patchbay call a.echo n=INTEGER");
        assertThat(server.err()).contains("There is no server bda in ", "Did you mean bad?");
    }

    @Test
    void doctorExaminesASingleServer() throws InterruptedException {
        CommandResult working = installation.run("doctor", "a");
        CommandResult broken = installation.run("doctor", "bad", "--json");

        assertThat(working.status()).as(working.err()).isZero();
        assertThat(working.out()).isEqualTo("ok: a works\n");
        assertThat(broken.status()).isEqualTo(1);
        JsonTree report = StrictJson.parse(broken.out());
        assertThat(report.at("serverId").asText()).isEqualTo("bad");
        assertThat(report.at("findings", 0).at("reason").asText()).isEqualTo("COMMAND_MISSING");
    }
}
