package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.LineOracle;
import dev.patchbay.testkit.MessageGenerator;
import dev.patchbay.testkit.SampleLine;

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

    private static final int CORPUS_SIZE = 2_000;

    /** One version without batches, the one with them, and the modern era. */
    static List<WireMatrixCase> cells() {
        return List.of(
                WireMatrixCase.NEWEST_LEGACY_CASE,
                new WireMatrixCase("2025-03-26", WireMatrixCase.LocaleSetting.UTF_8),
                WireMatrixCase.MODERN_CASE);
    }

    @ParameterizedTest
    @MethodSource("cells")
    void responsesMatchTheOracle(WireMatrixCase cell) throws Exception {
        Path folder = CheckedConversation.newFolder();
        var launch = CheckedConversation.launchOptions(cell, folder).withoutHistory();
        try (var talk = CheckedConversation.start(cell, folder, launch).initialize()) {
            var random = MessageGenerator.seeded();
            long start = System.nanoTime();
            var tally = run(talk, random, LINES / cells().size());
            tally.report(cell, random, Duration.ofNanos(System.nanoTime() - start));
            assertThat(tally.answers).as(random.seedNote()).isBetween(tally.least, tally.most);
            assertThat(talk.client().violations()).as(random.seedNote()).isEmpty();
            talk.client().closeInput();
            assertThat(talk.client().exitCode(CheckedConversation.TIMEOUT))
                    .as(random.seedNote())
                    .isZero();
        }
    }

    private static Tally run(CheckedConversation talk, MessageGenerator random, int lines)
            throws InterruptedException {
        LineOracle oracle = talk.oracle();
        var window = new RequestBurst(talk);
        var tally = new Tally();
        List<byte[]> corpus = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            if (i % (CORPUS_SIZE * 20) == 0) {
                corpus = corpus(random);
            }
            SampleLine sample =
                    random.percentChance(80) ? random.mutatedLine(corpus) : random.anyLine();
            ExpectedResponse expected = oracle.expect(sample.line());
            tally.add(expected);
            window.add(new RequestBurst.ExpectedLine(sample.line(), expected), random.seedNote());
        }
        window.send(random.seedNote());
        tally.answers = window.answeredCount();
        return tally;
    }

    private static List<byte[]> corpus(MessageGenerator random) {
        var corpus = new ArrayList<byte[]>();
        for (int i = 0; i < CORPUS_SIZE; i++) {
            corpus.add(random.anyLine().line());
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

        void add(ExpectedResponse expected) {
            lines++;
            if (expected instanceof NoResponse) {
                silent++;
            } else {
                most++;
                least += expected instanceof SingleResponse answer && answer.mayBeAbsent() ? 0 : 1;
            }
        }

        void report(WireMatrixCase cell, MessageGenerator random, Duration time) {
            System.out.printf(
                    "fuzz %s: %,d lines, %,d answers (%,d to %,d expected), %,d silent, %d s, %s%n",
                    cell, lines, answers, least, most, silent, time.toSeconds(), random.seedNote());
        }
    }
}
