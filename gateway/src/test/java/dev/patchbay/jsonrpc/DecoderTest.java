package dev.patchbay.jsonrpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.JsonLimits;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Message.Failure;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.jsonrpc.Message.Success;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

class DecoderTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0",
                "-1",
                "7",
                "\"7\"",
                "\"\"",
                "9007199254740993",
                "18446744073709551617",
                "1.0",
                "1e2",
                "1e22",
                "0e999999999",
                "-0",
                "\"\\ud800\"",
                "\"\\u0061\\n😀\""
            })
    void keepsIdAsWritten(String id) {
        DecodedFrame inbound = decode("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"m\"}");
        assertThat(inbound).isInstanceOf(Request.class);
        assertThat(((Request) inbound).id()).hasToString(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "1.5",
                "true",
                "[]",
                "{}",
                "1e400",
                "1e-3",
                "1e23",
                "1e-999999999",
                "1e999999999",
                "1e9999999999",
                "-1e-9999999999",
                "0e9999999999",
                "1.00000000000000000001"
            })
    void rejectsInvalidId(String id) {
        assertThat(malformed("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"m\"}"))
                .hasToString("-32600 null");
    }

    @Test
    void distinguishesIdsByTypeAndValue() {
        assertThat(id("7")).isNotEqualTo(id("\"7\""));
        assertThat(id("1.0")).isEqualTo(id("1"));
        assertThat(id("\"a\"")).isEqualTo(id("\"\\u0061\""));
        assertThat(id("-0")).isEqualTo(id("0"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            textBlock =
                    """
                    {not json}                                             | -32700 null
                    {"jsonrpc":"2.0","id":1,"method":"m"}x                 | -32700 null
                    42                                                     | -32600 null
                    null                                                   | -32600 null
                    {}                                                     | -32600 null
                    []                                                     | -32600 null
                    {"id":1}                                               | -32600 1
                    {"jsonrpc":"2.0"}                                      | -32600 null
                    {"id":1,"method":"m"}                                  | -32600 1
                    {"jsonrpc":"1.0","id":1,"method":"m"}                  | -32600 1
                    {"jsonrpc":2.0,"id":"x","method":"m"}                  | -32600 "x"
                    {"jsonrpc":"2.0","id":1}                               | -32600 1
                    {"jsonrpc":"2.0","id":1,"method":5}                    | -32600 1
                    {"jsonrpc":"2.0","method":null}                        | -32600 null
                    {"method":"m"}                                         | -32600 null
                    {"jsonrpc":"2.0","id":1,"method":"m","params":[1]}     | -32602 1
                    {"jsonrpc":"2.0","id":1,"method":"m","params":"x"}     | -32600 1
                    {"jsonrpc":"2.0","id":1,"method":"m","params":null}    | -32600 1
                    {"jsonrpc":"2.0","id":1,"method":"m","a":{"b":1,"b":2}}| -32600 1
                    {"jsonrpc":"2.0","id":1,"id":2,"method":"m"}           | -32600 null
                    """)
    void returnsErrorForMalformedFrame(String line, String expected) {
        assertThat(malformed(line)).hasToString(expected);
    }

    @Test
    void findsIdOfTooDeepMessage() {
        String deep = "[".repeat(600) + "]".repeat(600);
        assertThat(malformed("{\"params\":" + deep + ",\"jsonrpc\":\"2.0\",\"id\":\"z\"}"))
                .hasToString("-32600 \"z\"");
    }

    @Test
    void acceptsNotificationWithAnyParams() {
        assertThat(decode("{\"jsonrpc\":\"2.0\",\"method\":\"n\",\"params\":5}"))
                .isInstanceOf(Notification.class);
    }

    @Test
    void ignoresUnknownMembers() {
        assertThat(
                        decode(
                                "{\"__proto__\":1,\"Method\":2,\"jsonrpc\":\"2.0\",\"id\":1,"
                                        + "\"\\u006dethod\":\"tools\\u002flist\",\"result\":3}"))
                .isEqualTo(new Request(RequestId.of(1), "tools/list", null));
    }

    @Test
    void decodesResponses() {
        assertThat(decode("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"))
                .isInstanceOf(Success.class);
        assertThat(
                        decode(
                                "{\"jsonrpc\":\"2.0\",\"id\":1,"
                                        + "\"error\":{\"code\":-1,\"message\":\"no\"}}"))
                .isEqualTo(new Failure(RequestId.of(1), RpcError.of(-1, "no")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{\"code\":1}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1.5,\"message\":\"\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"result\":{}}",
                "{\"id\":1,\"result\":{}}"
            })
    void reportsInvalidResponseAsBadResponse(String line) {
        assertThat(decode(line)).isInstanceOf(BadResponse.class);
    }

    @Test
    void keepsResultOfTooDeepResponse() {
        String deep = "[".repeat(600) + "]".repeat(600);
        String result = "{\"tools\":[{\"name\":\"good\"},%s]}".formatted(deep);
        String start = "{\"jsonrpc\":\"2.0\",\"id\":7,";
        var bad = (BadResponse) decode(start + "\"result\":" + result + "}");
        assertThat(bad.id()).hasToString("7");
        assertThat(bad.reason()).contains("deeper than 500");
        assertThat(bad.tooDeepResult()).hasToString(result);
        var worse = (BadResponse) decode("{\"id\":7,\"result\":" + result + "}");
        assertThat(worse.tooDeepResult()).isNull();
        assertThat(decode(start + "\"method\":\"m\",\"params\":[" + deep + "]}"))
                .isInstanceOf(Malformed.class);
    }

    @Test
    void decodesEachElementOfBatch() {
        var batch = (Batch) decode("[1,{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\"},[]]");
        assertThat(batch.items())
                .hasExactlyElementsOfTypes(Malformed.class, Request.class, Malformed.class);
    }

    @Test
    void neverThrows() {
        long seed = System.nanoTime();
        var random = new SplittableRandom(seed);
        byte[] good =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":{\"é\":[1,\"\\n\"]}}"
                        .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < 100_000; i++) {
            byte[] line = good.clone();
            for (int flips = random.nextInt(1, 6); flips > 0; flips--) {
                line[random.nextInt(line.length)] = (byte) random.nextInt();
            }
            int to = random.nextInt(line.length + 1);
            assertThat(new Decoder(JsonLimits.DEFAULTS).decode(line, 0, to))
                    .as("seed %d", seed)
                    .isNotNull();
        }
    }

    private static DecodedFrame decode(String line) {
        byte[] bytes = line.strip().getBytes(StandardCharsets.UTF_8);
        return new Decoder(JsonLimits.DEFAULTS).decode(bytes, 0, bytes.length);
    }

    private static RequestId id(String written) {
        return ((Request) decode("{\"jsonrpc\":\"2.0\",\"id\":" + written + ",\"method\":\"m\"}"))
                .id();
    }

    private static String malformed(String line) {
        var malformed = (Malformed) decode(line);
        return malformed.error().code() + " " + malformed.id();
    }
}
