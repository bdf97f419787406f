package dev.patchbay.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttp;
import dev.patchbay.testkit.TestData;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Threats A6, D and G3: where a request ends, and what is in it, is never in doubt. */
class FramingTest {
    private static Bench bench;

    @BeforeAll
    static void start() throws IOException {
        bench = Bench.start();
    }

    @AfterAll
    static void stop() {
        bench.close();
    }

    /** A second request that must never reach a handler hides behind each of these. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Content-Length: 5\\r\\nTransfer-Encoding: chunked | 400",
                "Content-Length: 5\\r\\nContent-Length: 6          | 400",
                "Content-Length: -5                               | 400",
                "Content-Length: +5                               | 400",
                "Content-Length: 5a                               | 400",
                "Content-Length : 5                               | 400",
                "Content-Length: 5\\r\\nNoColon                    | 400",
                "Content-Length: 5\\r\\nX: a\\r\\n folded            | 400",
                "Content-Length: 5\\nX: bare                      | 400",
                "Content-Length: 5\\r\\nX: a\\0b                    | 400",
                "Content-Length: 5\\r\\nX\\0: a                     | 400",
                "Transfer-Encoding: xchunked                      | 400",
                "Transfer-Encoding: chunked, identity             | 400",
                "Transfer-Encoding: chunked\\r\\nTransfer-Encoding: chunked | 400",
            })
    void ambiguousFramingIsRefusedAndTheConnectionClosed(String lines, int status)
            throws IOException {
        int before = bench.service.calls.get();
        String hidden = new String(bench.modernCall("1", "echo", "{}"), StandardCharsets.UTF_8);
        String head =
                String.join("\r\n", bench.headers())
                        + "\r\n"
                        + lines.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
        try (RawHttp client = bench.connect()) {
            client.send("POST /mcp HTTP/1.1\r\n" + head + "\r\n\r\nx" + hidden);
            assertThat(client.reply().status()).isEqualTo(status);
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(bench.service.calls).hasValue(before);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zz\\r\\n{}\\r\\n0\\r\\n\\r\\n       | 400",
                "2\\n{}\\r\\n0\\r\\n\\r\\n           | 400",
                "FFFFFFFFFFFFFFFFF\\r\\n{}         | 400",
                "-2\\r\\n{}\\r\\n0\\r\\n\\r\\n       | 400",
            })
    void badChunkIsRefusedAndTheConnectionClosed(String chunks, int status) throws IOException {
        String head = String.join("\r\n", bench.headers("Transfer-Encoding: chunked"));
        try (RawHttp client = bench.connect()) {
            client.send(
                    "POST /mcp HTTP/1.1\r\n"
                            + head
                            + "\r\n\r\n"
                            + chunks.replace("\\r", "\r").replace("\\n", "\n"));
            assertThat(client.reply().status()).isEqualTo(status);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void chunkedBodyIsTakenByteForByte() throws IOException {
        byte[] whole = bench.modernCall("1", "echo", "{\"a\":\"ü\"}");
        String text = new String(whole, StandardCharsets.UTF_8);
        int split = text.indexOf("\r\n\r\n");
        String head =
                text.substring(0, split)
                        .replaceAll("Content-Length: \\d+", "Transfer-Encoding: chunked");
        try (RawHttp client = bench.connect()) {
            client.send(head + "\r\n\r\n");
            for (byte b : text.substring(split + 4).getBytes(StandardCharsets.UTF_8)) {
                client.send("1\r\n").send(new byte[] {b}).send("\r\n");
            }
            RawHttp.Reply reply = client.send("0\r\n\r\n").reply();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).contains("\\u00fc");
        }
    }

    @Test
    void requestsThatFollowOneAnotherAreAnsweredInOrder() throws IOException {
        try (RawHttp client = bench.connect()) {
            for (int i = 0; i < 20; i++) {
                client.send(bench.modernCall(Integer.toString(i), "echo", "{}"));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.reply().body()).contains("\"id\":" + i + ",");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"100000, 1, 431", "100, 1000, 431", "10, 10, 200"})
    void headersAreBounded(int chars, int count, int status) throws IOException {
        String line = "X-Fill: " + "x".repeat(chars);
        String[] lines = new String[count];
        Arrays.fill(lines, line);
        try (RawHttp client = bench.connect()) {
            client.send(bench.modernCall("1", "echo", "{}", lines));
            assertThat(client.reply().status()).isEqualTo(status);
        }
    }

    @Test
    void bodyBeyondTheLimitIsRefusedUnderItsId() throws IOException {
        String start = "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"x\",\"params\":{\"a\":\"";
        String body = start + "x".repeat(11 * 1024 * 1024) + "\"}}";
        RawHttp.Reply reply = bench.ask(body);
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.errorCode()).isEqualTo(-32600);
        assertThat(reply.body()).contains("\"id\":77");
    }

    @Test
    void bodyAtTheLimitIsServed() throws IOException {
        String call = Bench.call("1", "big", "{\"bytes\":10,\"pad\":\"PAD\"}");
        String padded = call.replace("PAD", "x".repeat(10 * 1024 * 1024 - call.length() + 3));
        assertThat(padded).hasSize(10 * 1024 * 1024);
        RawHttp.Reply reply = bench.ask(padded, bench.session("2025-11-25"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).contains("xxxxxxxxxx");
    }

    @Test
    void announcedLengthIsNotTrusted() throws IOException {
        String head = String.join("\r\n", bench.headers("Content-Length: 9000000000000000000"));
        try (RawHttp client = bench.connect()) {
            client.send("POST /mcp HTTP/1.1\r\n" + head + "\r\n\r\n{}");
            assertThat(client.reply().status()).isEqualTo(413);
        }
    }

    @Test
    void endlessChunksAreCutOff() throws IOException {
        String head = String.join("\r\n", bench.headers("Transfer-Encoding: chunked"));
        byte[] chunk =
                ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.UTF_8);
        try (RawHttp client = bench.connect()) {
            client.send("POST /mcp HTTP/1.1\r\n" + head + "\r\n\r\n");
            long sent = 0;
            try {
                while (sent < 200L * 1024 * 1024) {
                    client.send(chunk);
                    sent += chunk.length;
                }
            } catch (IOException _) {
                // The server has had enough.
            }
            assertThat(sent).isLessThan(100L * 1024 * 1024);
        }
        assertThat(bench.ask(bench.modernCall("1", "echo", "{}")).status()).isEqualTo(200);
    }

    @Test
    void compressedBodyIsNotTaken() throws IOException {
        RawHttp.Reply reply = bench.ask("{}", "Content-Encoding: gzip");
        assertThat(reply.status()).isEqualTo(415);
    }

    @Test
    void bodyThatEndsTooEarlyReachesNobody() throws IOException {
        int before = bench.service.calls.get();
        byte[] whole = bench.modernCall("1", "echo", "{}");
        try (RawHttp client = bench.connect()) {
            client.send(Arrays.copyOf(whole, whole.length - 3));
            client.socket().shutdownOutput();
            assertThat(client.reply().status()).isEqualTo(400);
        }
        assertThat(bench.service.calls).hasValue(before);
    }

    /** Fault 53 over HTTP: none of the files is a message, and each gets its code. */
    @Test
    void everyFileOfTheJsonTestSuiteGetsItsCode() throws IOException {
        List<TestData.JsonCase> cases = TestData.jsonCases();
        Assumptions.assumeFalse(cases.isEmpty(), TestData.MISSING);
        assertThat(cases).hasSize(318);
        try (RawHttp client = bench.connect()) {
            for (TestData.JsonCase file : cases) {
                client.send(RawHttp.post("/mcp", bench.headers(), file.bytes()));
                RawHttp.Reply reply = client.reply();
                assertThat(reply.status()).as(file.name()).isEqualTo(400);
                assertThat(file.codes()).as(file.name()).contains(reply.errorCode());
            }
            client.send(bench.modernCall("1", "echo", "{}"));
            assertThat(client.reply().status()).isEqualTo(200);
        }
    }
}
