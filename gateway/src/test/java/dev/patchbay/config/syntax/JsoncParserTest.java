package dev.patchbay.config.syntax;

import static dev.patchbay.config.read.ConfigSamples.findingLines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.ConfigSamples;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Random;

/** What the syntax allows, and what is said of the rest. */
class JsoncParserTest {
    private static final long SEED = 62;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|1:1|The file is empty",
                "`// only a comment`|1:18|The file is empty",
                "{|1:2|The file ends inside the brackets opened at 1:1",
                "{\"a\"|1:5|Missing colon after the key",
                "{\"a\": }|1:7|Missing value",
                "{\"a\" = {}}|1:6|Found '=' instead of ':'",
                "{a: {}}|1:2|The key has no quotes",
                "{'a': {}}|1:2|Strings need double quotes",
                "{\"a\": 'b}|1:7|Strings need double quotes",
                "{\"a\": \"b}|1:7|The string is not closed on this line",
                "{\"a\": True}|1:7|A word without quotes is not a value",
                "{\"a\": 01}|1:7|Invalid number",
                "{\"a\": .5}|1:7|Invalid number",
                "{\"a\": \"C:\\dir\"}|1:10|Invalid escape sequence",
                "{\"a\": [1,,2]}|1:10|Two commas in a row",
                "{\"a\": [1 2]}|1:9|Missing comma after this value",
                "{\"a\": [1}|1:9|This bracket does not match the one opened at 1:7",
                "{} {}|1:4|Unexpected text after the end",
                "{ /* x|1:3|The comment is not closed",
                "[]|1:1|The file must contain one object",
            })
    void reportsErrorWithPosition(String text, String place, String problem) {
        assertThat(findingLines(text))
                .anySatisfy(line -> assertThat(line).startsWith(place + ": error: " + problem));
    }

    @Test
    void continuesAfterRecoverableErrors() {
        assertThat(findingLines("{mcpServers: {'a': {\"command\" = \"C:\\x\" \"args\": [1 2]}}}"))
                .hasSize(8);
    }

    @Test
    void limitsDepthAndNumberOfFindings() {
        assertThat(findingLines("[".repeat(100_000))).hasSize(1);
        assertThat(findingLines("{\"mcpServers\": {" + "\"a\": 1,".repeat(100_000) + "}}"))
                .hasSize(200);
    }

    /** The largest file, with as much wrong as fits into it, must not hold up a reload. */
    @Test
    @Timeout(20)
    void parsesHugeInvalidFileQuickly() {
        var text = new StringBuilder("{\"mcpServers\": {\"a\": {");
        for (int i = 0; text.length() < ConfigReader.FILE_BYTES_MAX - 100; i++) {
            text.append("\"requestTimeoutM").append(i).append("\":[],");
        }
        assertThat(findingLines(text + "}}}")).hasSize(200);
    }

    /** A fault that another machine has while the file is being written must not be worse here. */
    @Test
    void reportsPositionForEveryTruncationAndMutation() {
        var random = new Random(SEED);
        for (int i = 0; i < 2_000; i++) {
            var text = i % 2 == 0 ? truncated(random) : mutated(random);
            var file = ConfigSamples.read(text);
            int lines = (int) text.lines().count() + 1;
            assertThat(file.findings())
                    .as("seed %d, round %d", SEED, i)
                    .allSatisfy(
                            finding -> {
                                assertThat(finding.position().line()).isBetween(1, lines);
                                assertThat(finding.position().column())
                                        .isBetween(1, text.length() + 1);
                                assertThat(finding.problem()).isNotBlank();
                                assertThat(finding.remedy()).isNotBlank();
                            });
            if (file instanceof ConfigReadResult.Invalid faulty) {
                assertThat(faulty.errors()).isNotEmpty();
            }
        }
    }

    @Test
    void rejectsEveryTruncatedFile() {
        var end = ConfigSamples.FULL.lastIndexOf('}');
        for (int length = 0; length <= end; length++) {
            assertThat(ConfigSamples.read(ConfigSamples.FULL.substring(0, length)))
                    .as("the first %d chars", length)
                    .isInstanceOf(ConfigReadResult.Invalid.class);
        }
    }

    private static String truncated(Random random) {
        return ConfigSamples.FULL.substring(0, random.nextInt(ConfigSamples.FULL.length()));
    }

    private static String mutated(Random random) {
        var text = new StringBuilder(ConfigSamples.FULL);
        var pieces =
                List.of("{", "}", "[", "]", ",", ":", "\"", "\\", "/*", "//", "\n", "0", "${", "é");
        for (int i = random.nextInt(5); i >= 0; i--) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.insert(at, pieces.get(random.nextInt(pieces.size())));
                default -> text.setCharAt(at, (char) random.nextInt(0x250));
            }
        }
        return text.toString();
    }
}
