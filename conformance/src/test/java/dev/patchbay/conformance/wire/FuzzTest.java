package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.Expectation;
import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.Generators;
import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.Sample;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Random and damaged lines through the live program: the number of answers is the number that an
 * independent oracle expects, each with a right code and id. {@code -Pfuzz} makes it a million.
 */
class FuzzTest {
    /** Lines in all, over the versions. */
    private static final int LINES = Integer.getInteger("patchbay.fuzz.lines", 20_000);

    private static final int CORPUS = 2_000;

    /** One version without batches, the one with them, and the modern era. */
    static List<Cell> cells() {
        return List.of(Cell.PLAIN, new Cell("2025-03-26", Cell.Surroundings.UTF_8), Cell.MODERN);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void answersExactlyWhatTheOracleExpects(Cell cell) throws Exception {
        Path folder = Talk.newFolder();
        var launch = Talk.launch(cell, folder).withoutHistory();
        try (var talk = Talk.start(cell, folder, launch).opened()) {
            var random = Generators.seeded();
            long start = System.nanoTime();
            var tally = run(talk, random, LINES / cells().size());
            tally.report(cell, random, Duration.ofNanos(System.nanoTime() - start));
            assertThat(tally.answers).as(random.note()).isBetween(tally.least, tally.most);
            assertThat(talk.client().violations()).as(random.note()).isEmpty();
            talk.client().closeInput();
            assertThat(talk.client().exitCode(Talk.PATIENCE)).as(random.note()).isZero();
        }
    }

    private static Tally run(Talk talk, Generators random, int lines) throws InterruptedException {
        LineOracle oracle = talk.oracle();
        var window = new Window(talk);
        var tally = new Tally();
        List<byte[]> corpus = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            if (i % (CORPUS * 20) == 0) {
                corpus = corpus(random);
            }
            Sample sample = random.chance(80) ? random.mutation(corpus) : random.line();
            Expectation expected = oracle.expect(sample.line());
            tally.add(expected);
            window.add(new Window.Case(sample.line(), expected), random.note());
        }
        window.send(random.note());
        tally.answers = window.answered();
        return tally;
    }

    private static List<byte[]> corpus(Generators random) {
        var corpus = new ArrayList<byte[]>();
        for (int i = 0; i < CORPUS; i++) {
            corpus.add(random.line().line());
        }
        return corpus;
    }

    /** What was sent and what came back. */
    private static final class Tally {
        private long lines;
        private long silent;

        /** How many answers there must be at least, and may be at most. */
        private long least;

        private long most;
        private long answers;

        void add(Expectation expected) {
            lines++;
            if (expected instanceof Silence) {
                silent++;
            } else {
                most++;
                least += expected instanceof Answer answer && answer.silence() ? 0 : 1;
            }
        }

        void report(Cell cell, Generators random, Duration time) {
            System.out.printf(
                    "fuzz %s: %,d lines, %,d answers (%,d to %,d expected), %,d silent, %d s, %s%n",
                    cell, lines, answers, least, most, silent, time.toSeconds(), random.note());
        }
    }
}
