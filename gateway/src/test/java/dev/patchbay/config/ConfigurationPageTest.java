package dev.patchbay.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The tables of docs/configuration.md are those of the schema, which in turn agrees with the reader
 * of the file. With {@code -Dguide.write=true} they are written.
 */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of("..", "docs", "configuration.md");
    private static final String END = "<!-- end -->\n";

    @ParameterizedTest
    @CsvSource({"server", "settings", "view", "issuer"})
    void pageListsEveryKeyOfSchema(String definition) throws IOException {
        String begin = "<!-- keys: " + definition + " -->\n";
        String page = Files.readString(PAGE);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(END, from);
        assertThat(page).contains(begin);
        var table = new StringBuilder("| key | default | meaning |\n|---|---|---|\n");
        rows(table, "", Json.of(ConfigSchema.text()).member("$defs").member(definition));

        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(PAGE, page.substring(0, from) + table + page.substring(to));
        } else {
            assertThat(page.substring(from, to)).isEqualTo(table.toString());
        }
    }

    private static void rows(StringBuilder table, String prefix, Json definition) {
        for (Json.Member property : definition.member("properties").members()) {
            String key = prefix + property.name();
            Json value = property.value();
            if (value.member("properties") != null) {
                rows(table, key + ".", value);
            } else {
                table.append(
                        "| `%s` | %s | %s |\n".formatted(key, defaultOf(value), meaningOf(value)));
            }
        }
    }

    private static String defaultOf(Json value) {
        Json given = value.member("default");
        return given == null ? "" : "`" + (given.isString() ? given.text() : given) + "`";
    }

    private static String meaningOf(Json value) {
        String text = value.memberText("description");
        Json words = value.member("enum");
        if (words != null) {
            var all = words.elements().stream().map(it -> "`" + it.text() + "`").toList();
            text += " One of " + String.join(", ", all) + ".";
        }
        Json least = value.member("minimum");
        if (least != null) {
            text += " From %s to %s.".formatted(least, value.member("maximum"));
        }
        return text.replace("|", "\\|");
    }
}
