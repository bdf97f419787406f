package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigurationDiff.Change;
import dev.patchbay.config.ConfigurationDiff.Effect;
import dev.patchbay.config.read.ConfigSamples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which servers a new configuration concerns. */
class ConfigurationDiffTest {
    private static final String SAME = "\"same\": {\"command\": \"s\"}";

    @Test
    void reportsAddedRemovedAndUnchangedServers() {
        var diff =
                diff(
                        SAME + ", \"gone\": {\"command\": \"g\"}",
                        "\"new\": {\"command\": \"n\"}, " + SAME);
        assertThat(diff.added()).extracting(server -> server.id().value()).containsExactly("new");
        assertThat(diff.removed()).extracting(Object::toString).containsExactly("gone");
        assertThat(diff.unchanged()).extracting(Object::toString).containsExactly("same");
        assertThat(diff.changed()).isEmpty();
        assertThat(diff.settingsChanged()).isFalse();
        assertThat(diff.isEmpty()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            delimiter = '|',
            value = {
                "\"command\": \"y\"|CONNECTION",
                "\"command\": \"x\", \"args\": [\"a\"]|CONNECTION",
                "\"command\": \"x\", \"env\": {\"A\": \"1\"}|CONNECTION",
                "\"url\": \"http://x/\"|CONNECTION",
                "\"command\": \"x\", \"era\": \"modern\"|CONNECTION",
                "\"command\": \"y\", \"enabled\": false|CONNECTION",
                "\"command\": \"x\", \"enabled\": false|SWITCH",
                "\"command\": \"x\", \"requestTimeoutMs\": 5000|DETAILS",
                "\"command\": \"x\", \"description\": \"d\"|DETAILS",
                "\"command\": \"x\", \"tags\": [\"t\"], \"enabled\": false|DETAILS",
            })
    void classifiesEffectOfChange(String members, Effect effect) {
        var diff = diff("\"a\": {\"command\": \"x\"}", "\"a\": {" + members + "}");
        assertThat(diff.changed()).extracting(Change::effect).containsExactly(effect);
    }

    @Test
    void isEmptyForEquivalentFiles() {
        assertThat(diff(SAME, "/* c */" + SAME + ",").isEmpty()).isTrue();
    }

    @Test
    void reportsChangedSettings() {
        var before = ConfigSamples.readValid(ConfigSamples.fileWithSettings("")).configuration();
        var after =
                ConfigSamples.readValid(ConfigSamples.fileWithSettings("\"names\": \"safe\""))
                        .configuration();
        assertThat(ConfigurationDiff.between(before, after).settingsChanged()).isTrue();
    }

    private static ConfigurationDiff diff(String before, String after) {
        return ConfigurationDiff.between(configuration(before), configuration(after));
    }

    private static Configuration configuration(String servers) {
        return ConfigSamples.readValid("{\"mcpServers\": {" + servers + "}}").configuration();
    }
}
