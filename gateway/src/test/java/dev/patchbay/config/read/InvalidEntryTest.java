package dev.patchbay.config.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A fault inside the entry of one server affects that server only. */
class InvalidEntryTest {
    private static final String GOOD = "\"good\": {\"command\": \"x\"}";

    private final ConfigReader reader = new ConfigReader(Map.of());

    private List<ServerSpec> servers(String text) {
        ConfigReadResult read = reader.read(text);
        assertThat(read).as("%s", read.findings()).isInstanceOf(ConfigReadResult.Valid.class);
        return ((ConfigReadResult.Valid) read).configuration().servers();
    }

    private static Transport.Invalid invalid(ServerSpec server) {
        assertThat(server.transport()).isInstanceOf(Transport.Invalid.class);
        return (Transport.Invalid) server.transport();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"command\": 5} | 1:36: mcpServers.bad.command",
                "{\"command\": \"x\", \"args\": \"y\"} | 1:49: mcpServers.bad.args",
                "{\"command\": \"x\", \"args\": [\"${\"]} | 1:50: mcpServers.bad.args[0]",
                "{\"command\": \"x\", \"env\": {\"A\": 1}} | 1:54: mcpServers.bad.env.A",
                "{\"url\": \"not a url\"} | 1:32: mcpServers.bad.url",
                "{} | 1:24: mcpServers.bad",
                "{\"command\": \"x\", \"maxRetries\": 99} | 1:55: mcpServers.bad.maxRetries",
                "{\"command\": \"x\", \"command\": \"y\"} | 1:41: mcpServers.bad.command",
                "{\"command\": \"x\", \"url\": \"https://h/\"} | mcpServers.bad",
                "[] | 1:24: mcpServers.bad",
                "null | 1:24: mcpServers.bad",
            })
    void otherServersAreNotAffected(String entry, String fault) {
        List<ServerSpec> servers =
                servers("{\"mcpServers\": {\"bad\": " + entry + ", " + GOOD + "}}");
        assertThat(servers).map(it -> it.id().value()).containsExactly("bad", "good");
        assertThat(invalid(servers.getFirst()).problem()).contains(fault);
        assertThat(servers.getFirst().options().limits().maxRetries()).isZero();
        assertThat(servers.getLast().transport()).isInstanceOf(Transport.Stdio.class);
    }

    @Test
    void faultNamesFileLineAndColumn(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("patchbay.json");
        Files.writeString(
                file, "{\"mcpServers\": {\n  \"bad\": {\"command\": \"x\",\n \"args\": 1}}}");
        var read = (ConfigReadResult.Valid) reader.read(file);
        Transport.Invalid bad = invalid(read.configuration().servers().getFirst());
        assertThat(bad.problem())
                .isEqualTo(
                        file
                                + ":3:10: mcpServers.bad.args: Must be an array of strings, not a"
                                + " number. Write [\"…\", \"…\"]");
        assertThat(bad.faults())
                .singleElement()
                .satisfies(it -> assertThat(it.place()).isEqualTo(file + ":3:10"));
        assertThat(read.hasErrors()).isTrue();
    }

    @Test
    void everyFaultOfTheEntryIsKept() {
        ServerSpec bad =
                servers("{\"mcpServers\": {\"bad\": {\"command\": 1, \"args\": 2}}}").getFirst();
        assertThat(invalid(bad).faults()).hasSize(2);
        assertThat(invalid(bad).problem()).contains("1 of 2 errors", "patchbay check");
    }

    @Test
    void keyThatOccursTwiceIsInvalid() {
        List<ServerSpec> servers =
                servers(
                        "{\"mcpServers\": {\"a\": {\"command\": \"x\"}, \"a\": {\"command\":"
                                + " \"y\"}, "
                                + GOOD
                                + "}}");
        assertThat(servers).map(it -> it.id().value()).containsExactly("a", "good");
        assertThat(invalid(servers.getFirst()).problem()).contains("Duplicate key");
    }

    @Test
    void entryWithoutAUsableIdIsReportedAndGivesNoServer() {
        String text =
                "{\"mcpServers\": {\"!!\": {\"command\": \"x\"}, \"patchbay\": {\"command\":"
                        + " \"y\"}, "
                        + GOOD
                        + "}}";
        assertThat(servers(text)).map(it -> it.id().value()).containsExactly("good");
        assertThat(reader.read(text).errors()).hasSize(2);
    }

    @Test
    void invalidEntryStaysDisabled() {
        String text = "{\"mcpServers\": {\"bad\": {\"command\": 5, \"enabled\": false}}}";
        assertThat(servers(text).getFirst().enabled()).isFalse();
    }

    @Test
    void entriesBeyondTheLimitOfFindingsAreInvalidToo() {
        var text = new StringBuilder("{\"mcpServers\": {");
        for (int i = 0; i < 300; i++) {
            text.append("\"s").append(i).append("\": {\"command\": 5}, ");
        }
        List<ServerSpec> servers = servers(text.append(GOOD).append("}}").toString());
        assertThat(servers).hasSize(301);
        assertThat(servers.subList(0, 300))
                .allSatisfy(it -> assertThat(it.transport()).isInstanceOf(Transport.Invalid.class));
        assertThat(servers.getLast().transport()).isInstanceOf(Transport.Stdio.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{\"mcpServers\": {\"a\": {\"command\": \"x\"}",
                "{\"mcpServers\": {\"a\": {\"command\": 'x'}}}",
                "{\"mcpServers\": {\"a\": {\"command\": yes}}}",
                "{\"mcpServers\": []}",
                "{\"mcpServers\": {}, \"mcpServers\": {}}",
                "{\"mcpServers\": {}, \"patchbay\": {\"names\": \"odd\"}}",
                "{\"mcpServers\": {}, \"patchbay\": {\"stateDir\": \"${\"}}",
                "{\"mcpServers\": {\"a\": {\"command\": 5}}, \"patchbay\": 5}",
            })
    void otherFaultsMakeTheFileUnusable(String text) {
        assertThat(reader.read(text)).isInstanceOf(ConfigReadResult.Invalid.class);
    }
}
