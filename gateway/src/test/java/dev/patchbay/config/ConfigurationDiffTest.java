package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigurationDiff.Change;
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
                "\"command\": \"y\"|false",
                "\"command\": \"x\", \"args\": [\"a\"]|false",
                "\"command\": \"x\", \"env\": {\"A\": \"1\"}|false",
                "\"url\": \"http://x/\"|false",
                "\"command\": \"x\", \"era\": \"modern\"|false",
                "\"command\": \"y\", \"enabled\": false|false",
                "\"command\": \"x\", \"enabled\": false|true",
                "\"command\": \"x\", \"requestTimeoutMs\": 5000|true",
                "\"command\": \"x\", \"description\": \"d\"|true",
                "\"command\": \"x\", \"tags\": [\"t\"], \"enabled\": false|true",
            })
    void changeKeepsTheConnectionUnlessTheServerIsReachedDifferently(
            String members, boolean keeps) {
        var diff = diff("\"a\": {\"command\": \"x\"}", "\"a\": {" + members + "}");
        Change change = diff.changed().getFirst();
        assertThat(change.before().hasSameConnection(change.after())).isEqualTo(keeps);
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

    @Test
    void reportsChangedViews() {
        var before = ConfigSamples.readValid(ConfigSamples.fileWithSettings("")).configuration();
        var after =
                ConfigSamples.readValid(ConfigSamples.fileWithSettings("\"views\": {\"v\": {}}"))
                        .configuration();
        ConfigurationDiff diff = ConfigurationDiff.between(before, after);
        assertThat(diff.settingsChanged()).isTrue();
        assertThat(before.settings().withViews(after.settings().views()))
                .isEqualTo(after.settings());
    }

    @Test
    void configurationOfViewHasItsServersOnly() {
        Configuration all =
                ConfigSamples.readValid(
                                """
                                {"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}},
                                 "patchbay": {"views": {"v": {"servers": ["b"]}, "w": {}}}}
                                """)
                        .configuration();
        assertThat(all.restrictedTo("v").servers()).containsExactly(all.servers().getLast());
        assertThat(all.restrictedTo("w").servers()).isEqualTo(all.servers());
        assertThat(all.restrictedTo("x").servers()).isEmpty();
    }

    private static ConfigurationDiff diff(String before, String after) {
        return ConfigurationDiff.between(configuration(before), configuration(after));
    }

    private static Configuration configuration(String servers) {
        return ConfigSamples.readValid("{\"mcpServers\": {" + servers + "}}").configuration();
    }
}
