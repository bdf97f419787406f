package dev.patchbay.config.edit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.edit.EditResult.Changed;
import dev.patchbay.config.edit.EditResult.Unchanged;
import dev.patchbay.config.read.ConfigSamples;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Whatever the layout of a file and whatever is done to it, the reader reads what was written. */
class ConfigEditorPropertyTest {
    private static final long SEED = 1;
    private static final int ROUNDS = 100;
    private static final int STEPS = 6;

    @TempDir Path folder;
    private Path file;
    private Random random;

    @BeforeEach
    void seed() {
        file = folder.resolve("patchbay.json");
        random = new Random(SEED);
    }

    @Test
    void readerReadsWhatEditorWrites() throws IOException {
        for (int round = 0; round < ROUNDS; round++) {
            var expected = new LinkedHashMap<String, Boolean>();
            var commands = new LinkedHashMap<String, List<String>>();
            Files.writeString(file, randomFile(expected, commands));
            for (int step = 0; step < STEPS; step++) {
                var before = Files.readString(file);
                var removed = editAtRandom(expected, commands);
                var text = Files.readString(file);
                var as = "seed %d, round %d, step %d:\n%s".formatted(SEED, round, step, text);
                assertReadsAs(text, expected, commands, as);
                var kept = before.replace(removed, "");
                assertThat(countComments(text)).as(as).isEqualTo(countComments(kept));
                if (!removed.isEmpty()) {
                    assertThat(containsInOrder(before, text)).as(as).isTrue();
                    assertThat(containsInOrder(text, kept.replaceAll("[, \\t\\r\\n]", "")))
                            .as(as)
                            .isTrue();
                } else if (text.length() > before.length() + 1) {
                    assertThat(containsInOrder(text, before)).as(as).isTrue();
                }
            }
        }
    }

    /** Does something at random; the text of the server that it took out. */
    private String editAtRandom(Map<String, Boolean> expected, Map<String, List<String>> commands)
            throws IOException {
        var editor = new ConfigEditor(file);
        if (expected.isEmpty() || random.nextInt(3) == 0) {
            var id = "s" + random.nextInt(1_000_000);
            var line = List.of(randomText(), randomText(), randomText());
            expected.put(id, true);
            commands.put(id, line);
            assertThat(editor.add(ConfigEntry.stdio(id, line, Map.of())))
                    .isInstanceOf(Changed.class);
            return "";
        }
        var id = List.copyOf(expected.keySet()).get(random.nextInt(expected.size()));
        if (random.nextInt(3) == 0) {
            var text = Files.readString(file);
            var member = new EditableConfig(text, List.of("mcpServers")).findMember(id);
            expected.remove(id);
            assertThat(editor.remove(id)).isInstanceOf(Changed.class);
            return text.substring(member.name().from(), member.value().to());
        }
        boolean on = random.nextBoolean();
        expected.put(id, on);
        assertThat(on ? editor.enable(id) : editor.disable(id))
                .isInstanceOfAny(Changed.class, Unchanged.class);
        return "";
    }

    /** Whether every char of the part is in the whole, in the same order. */
    private static boolean containsInOrder(String whole, String part) {
        int at = 0;
        for (int i = 0; i < whole.length() && at < part.length(); i++) {
            at += whole.charAt(i) == part.charAt(at) ? 1 : 0;
        }
        return at == part.length();
    }

    private static void assertReadsAs(
            String text,
            Map<String, Boolean> expected,
            Map<String, List<String>> commands,
            String as) {
        var read = ConfigSamples.read(text);
        assertThat(read).as(as + read.findings()).isInstanceOf(ConfigReadResult.Valid.class);
        var servers = ((ConfigReadResult.Valid) read).configuration().servers();
        assertThat(servers)
                .as(as)
                .extracting(s -> s.id().value())
                .containsExactlyElementsOf(expected.keySet());
        for (ServerSpec server : servers) {
            var id = server.id().value();
            assertThat(server.enabled()).as(as).isEqualTo(expected.get(id));
            var stdio = (Transport.Stdio) server.transport();
            var line = new ArrayList<>(List.of(stdio.command()));
            line.addAll(stdio.args());
            assertThat(line).as(as).isEqualTo(commands.get(id));
        }
    }

    /** A file laid out at random: spaces, tabs, line ends, comments, trailing commas, or none. */
    private String randomFile(Map<String, Boolean> expected, Map<String, List<String>> commands) {
        var text = new StringBuilder(random.nextBoolean() ? "\uFEFF" : "");
        boolean flat = random.nextInt(4) == 0;
        text.append(randomGap(flat)).append('{').append(randomGap(flat));
        if (random.nextInt(4) > 0) {
            text.append("\"mcpServers\"")
                    .append(randomGap(flat))
                    .append(':')
                    .append(randomGap(flat))
                    .append('{');
            int count = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                text.append(randomGap(flat))
                        .append("\"s")
                        .append(i)
                        .append("\":")
                        .append(randomGap(flat));
                text.append("{\"command\": \"c\"")
                        .append(randomGap(flat))
                        .append('}')
                        .append(randomGap(flat));
                text.append(i < count - 1 || random.nextBoolean() ? "," : "");
                expected.put("s" + i, true);
                commands.put("s" + i, List.of("c"));
            }
            text.append(randomGap(flat)).append('}').append(randomGap(flat));
        }
        return text.append('}').append(randomGap(flat)).toString();
    }

    private String randomGap(boolean flat) {
        if (flat) {
            return random.nextBoolean() ? " " : "";
        }
        var gaps =
                List.of("", " ", "\n", "\r\n  ", "\n\t", "\n    ", "// c, }\n", " /* \"x\": { */ ");
        return gaps.get(random.nextInt(gaps.size())) + gaps.get(random.nextInt(gaps.size()));
    }

    private String randomText() {
        var texts =
                List.of(
                        "x",
                        "a b",
                        "\"",
                        "\\",
                        "ü😀",
                        "$${x",
                        "// no",
                        "\n\t\u0001",
                        "\u2028\ud800");
        return texts.get(random.nextInt(texts.size())).replace("$${x", "$x");
    }

    private static long countComments(String text) {
        return text.split("// c, }", -1).length * 1000L
                + text.split("/\\* \"x\": \\{ \\*/", -1).length;
    }
}
