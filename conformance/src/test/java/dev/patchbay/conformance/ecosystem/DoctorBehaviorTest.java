package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How the doctor treats servers, and its warnings. */
class DoctorBehaviorTest {
    @TempDir private Path folder;

    private static List<JsonTree> findings(TestInstallation.CommandResult outcome) {
        return StrictJson.parse(outcome.out()).at("findings").asList();
    }

    @Test
    void triesEachServerAsOftenAsConfiguredAndCallsNoTool() throws Exception {
        var installation = new TestInstallation(folder);
        Path starts = folder.resolve("starts");
        installation.withServer(
                "exits",
                "{\"command\": \"sh\", \"args\": [\"-c\", \"echo start >>%s; exit 3\"]}"
                        .formatted(starts));
        ServerScript works = installation.script("works").tools("echo");
        installation.withServer(works).save();
        TestInstallation.CommandResult outcome = installation.run("doctor", "--json");
        assertThat(outcome.status()).isEqualTo(1);
        assertThat(Files.readAllLines(starts)).as("maxRetries is 3").hasSize(4);
        assertThat(works.recording().startCount()).isEqualTo(1);
        assertThat(works.recording().receivedCount("tools/call")).isZero();
    }

    @Test
    void warningsAreNoFailure() throws Exception {
        var installation = new TestInstallation(folder);
        installation.withServer(installation.script("works"), "\"colour\": \"red\"").save();
        TestInstallation.CommandResult outcome = installation.run("doctor", "--json");
        assertThat(findings(outcome).getFirst().at("severity").asText()).isEqualTo("warning");
        assertThat(outcome.status()).isZero();
    }

    @Test
    void secretInArgumentsIsAWarning() throws Exception {
        var installation = new TestInstallation(folder);
        installation
                .withServer(
                        "a",
                        "{\"command\": \"true\", \"args\": [\"--token\","
                                + " \"ghp_0123456789abcdefghij0123456789abcdef\"]}")
                .save();
        TestInstallation.CommandResult outcome = installation.run("doctor", "--json");
        assertThat(findings(outcome))
                .anyMatch(it -> it.at("reason").asText().equals("CONFIG_DOUBTFUL"));
        assertThat(outcome.out()).doesNotContain("ghp_0123456789");
    }

    @Test
    void scriptIsResolvedInTheWorkingDirectoryOfItsProgram() throws Exception {
        var installation = new TestInstallation(folder);
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.writeString(folder.resolve("here.sh"), "exit 3\n");
        Files.writeString(other.resolve("there.sh"), "exit 3\n");
        String entry = "{\"command\": \"sh\", \"args\": [\"%s\"], \"cwd\": \"%s\"}";
        installation.withServer("a", entry.formatted("here.sh", other));
        installation.withServer("b", entry.formatted("there.sh", other)).save();
        assertThat(
                        findings(installation.run("doctor", "--json")).stream()
                                .map(it -> it.at("reason").asText()))
                .containsExactly("SCRIPT_MISSING", "EXITS_AT_ONCE");
    }

    @Test
    void similarToolNamesAreShownAsEvidence() throws Exception {
        var installation = new TestInstallation(folder);
        installation.withServer(installation.script("works").tools("read_file=echo")).save();
        JsonTree finding =
                findings(installation.run("doctor", "--json", "works.raed_file")).getFirst();
        assertThat(finding.at("reason").asText()).isEqualTo("TOOL_NOT_FOUND");
        assertThat(finding.at("evidence").write()).contains("works.read_file");
    }
}
