package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.Samples;
import dev.patchbay.testkit.StrictJson;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** What a Java program does wrong by itself, if nobody sees to it. */
class JavaTrapsTest {
    @TempDir private Path folder;

    /** What the matrix of the other tests stands on: the JVM is in the place that a cell names. */
    @ParameterizedTest
    @EnumSource(Cell.Surroundings.class)
    void everyCellIsWhereItSays(Cell.Surroundings surroundings) throws Exception {
        var cell = new Cell(Cell.NEWEST_LEGACY, surroundings);
        Launch launch = Talk.launch(cell, folder, "-XshowSettings:properties");
        try (var talk = Talk.start(cell, folder, launch).opened()) {
            talk.finish();
            String language = surroundings == Cell.Surroundings.TURKISH ? "tr" : "en";
            boolean latin = surroundings == Cell.Surroundings.LATIN_1;
            assertThat(talk.client().stderr())
                    .contains("user.language = " + language)
                    .contains("file.encoding = " + (latin ? "ISO-8859-1" : "UTF-8"));
        }
    }

    /** Digits, points and commas are not those of the country. */
    @ParameterizedTest
    @EnumSource(Cell.Surroundings.class)
    void saysTheSameInEveryLocale(Cell.Surroundings surroundings) throws Exception {
        try (var talk = Talk.open(new Cell(Cell.NEWEST_LEGACY, surroundings))) {
            byte[] tooLong = Samples.requestOfLength("7", 10 * 1024 * 1024 + 1);
            byte[] answer = talk.answersTo(tooLong, 1).getFirst();
            assertThat(StrictJson.parse(answer).at("error", "message").text())
                    .contains("10,485,760 bytes");
            talk.finish();
        }
    }

    /** MI5: a JVM that ends for want of memory says so, but not on standard output. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.Cell#gateways")
    void lastWordsOfAJvmWithoutMemoryAreNotOnStandardOutput(Cell cell) throws Exception {
        String options =
                "-Xmx16m -XX:+ExitOnOutOfMemoryError -XX:+HeapDumpOnOutOfMemoryError"
                        + " -XX:HeapDumpPath="
                        + folder.resolve("heap");
        Launch launch = Talk.launch(cell, folder, options).withoutHistory();
        try (var talk = Talk.start(cell, folder, launch).opened()) {
            byte[] large = Samples.requestOfLength("1", 9_000_000);
            while (talk.client().alive() && talk.client().trySend(large)) {
                talk.client().trySend(new byte[] {'\n'});
            }
            assertThat(talk.client().exitCode(Talk.PATIENCE)).isNotZero();
            assertThat(talk.client().awaitEnd(Talk.PATIENCE)).isTrue();
            assertThat(talk.client().stderr()).contains("OutOfMemoryError");
            assertThat(talk.client().violations()).isEmpty();
        }
    }

    /** A line costs itself at most, however little memory there is. */
    @Test
    void aLineForWhichThereIsNoMemoryCostsThatLine() throws Exception {
        Launch launch = Talk.launch(Cell.PLAIN, folder, "-Xmx24m").withoutHistory();
        try (var talk = Talk.start(Cell.PLAIN, folder, launch).opened()) {
            for (String id : List.of("71", "72", "73")) {
                var either = new Expectation.Answer(Set.of(id), Set.of(-32600), true, false);
                talk.expect(Samples.requestOfLength(id, 9_000_000), either);
            }
            talk.expectError(Samples.requestOfLength("74", 20_000_000), -32600, "74");
            talk.expectResult(Messages.request("75", "tools/list", ""), "75");
            talk.finish();
        }
    }
}
