package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.ExpectedResponse;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.SampleLines;
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
class JvmPitfallsTest {
    @TempDir private Path folder;

    /** What the matrix of the other tests stands on: the JVM is in the place that a cell names. */
    @ParameterizedTest
    @EnumSource(WireMatrixCase.LocaleSetting.class)
    void everyCaseRunsInItsLocale(WireMatrixCase.LocaleSetting surroundings) throws Exception {
        var cell = new WireMatrixCase(WireMatrixCase.NEWEST_LEGACY, surroundings);
        ProcessLaunch launch =
                CheckedConversation.launchOptions(cell, folder, "-XshowSettings:properties");
        try (var talk = CheckedConversation.start(cell, folder, launch).initialize()) {
            talk.finishAndCheck();
            String language = surroundings == WireMatrixCase.LocaleSetting.TURKISH ? "tr" : "en";
            boolean latin = surroundings == WireMatrixCase.LocaleSetting.LATIN_1;
            assertThat(talk.client().stderr())
                    .contains("user.language = " + language)
                    .contains("file.encoding = " + (latin ? "ISO-8859-1" : "UTF-8"));
        }
    }

    /** Digits, points and commas are not those of the country. */
    @ParameterizedTest
    @EnumSource(WireMatrixCase.LocaleSetting.class)
    void outputIsTheSameInEveryLocale(WireMatrixCase.LocaleSetting surroundings) throws Exception {
        try (var talk =
                CheckedConversation.open(
                        new WireMatrixCase(WireMatrixCase.NEWEST_LEGACY, surroundings))) {
            byte[] tooLong = SampleLines.requestOfLength("7", 10 * 1024 * 1024 + 1);
            byte[] answer = talk.responsesTo(tooLong, 1).getFirst();
            assertThat(StrictJson.parse(answer).at("error", "message").asText())
                    .contains("10,485,760 bytes");
            talk.finishAndCheck();
        }
    }

    /** MI5: a JVM that ends for want of memory says so, but not on standard output. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void outOfMemoryMessageIsNotOnStandardOutput(WireMatrixCase cell) throws Exception {
        String options =
                "-Xmx16m -XX:+ExitOnOutOfMemoryError -XX:+HeapDumpOnOutOfMemoryError"
                        + " -XX:HeapDumpPath="
                        + folder.resolve("heap");
        ProcessLaunch launch =
                CheckedConversation.launchOptions(cell, folder, options).withoutHistory();
        try (var talk = CheckedConversation.start(cell, folder, launch).initialize()) {
            byte[] large = SampleLines.requestOfLength("1", 9_000_000);
            while (talk.client().isAlive() && talk.client().trySend(large)) {
                talk.client().trySend(new byte[] {'\n'});
            }
            assertThat(talk.client().exitCode(CheckedConversation.TIMEOUT)).isNotZero();
            assertThat(talk.client().awaitOutputEnd(CheckedConversation.TIMEOUT)).isTrue();
            assertThat(talk.client().stderr()).contains("OutOfMemoryError");
            assertThat(talk.client().violations()).isEmpty();
        }
    }

    /** A line costs itself at most, however little memory there is. */
    @Test
    void lineThatExhaustsMemoryFailsAlone() throws Exception {
        ProcessLaunch launch =
                CheckedConversation.launchOptions(
                                WireMatrixCase.NEWEST_LEGACY_CASE, folder, "-Xmx24m")
                        .withoutHistory();
        try (var talk =
                CheckedConversation.start(WireMatrixCase.NEWEST_LEGACY_CASE, folder, launch)
                        .initialize()) {
            for (String id : List.of("71", "72", "73")) {
                var either =
                        new ExpectedResponse.SingleResponse(
                                Set.of(id), Set.of(-32600), true, false);
                talk.expect(SampleLines.requestOfLength(id, 9_000_000), either);
            }
            talk.expectError(SampleLines.requestOfLength("74", 20_000_000), -32600, "74");
            talk.expectResult(ClientMessages.request("75", "tools/list", ""), "75");
            talk.finishAndCheck();
        }
    }
}
