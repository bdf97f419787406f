package dev.patchbay.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.testkit.RawHttpConnection;
import dev.patchbay.testkit.TestData;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Threats A6, D and G3: where a request ends, and what is in it, is never in doubt. */
class HttpRequestFramingTest {
    private static HttpServerFixture fixture;

    @BeforeAll
    static void start() throws IOException {
        fixture = HttpServerFixture.start();
    }

    @AfterAll
    static void stop() {
        fixture.close();
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
    void ambiguousFramingIsRefusedAndConnectionClosed(String lines, int status) throws IOException {
        int before = fixture.service.calls.get();
        String hidden = new String(fixture.modernCall("1", "echo", "{}"), StandardCharsets.UTF_8);
        String head =
                String.join("\r\n", fixture.headers())
                        + "\r\n"
                        + lines.replace("\\r", "\r").replace("\\n", "\n").replace("\\0", "\0");
        try (RawHttpConnection client = fixture.connect()) {
            client.send("POST /mcp HTTP/1.1\r\n" + head + "\r\n\r\nx" + hidden);
            assertThat(client.readResponse().status()).isEqualTo(status);
            assertThat(client.isClosedByServer()).isTrue();
        }
        assertThat(fixture.service.calls).hasValue(before);
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
    void badChunkIsRefusedAndConnectionClosed(String chunks, int status) throws IOException {
        String head = String.join("\r\n", fixture.headers("Transfer-Encoding: chunked"));
        try (RawHttpConnection client = fixture.connect()) {
            client.send(
                    "POST /mcp HTTP/1.1\r\n"
                            + head
                            + "\r\n\r\n"
                            + chunks.replace("\\r", "\r").replace("\\n", "\n"));
            assertThat(client.readResponse().status()).isEqualTo(status);
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void chunkedBodyIsReadByteForByte() throws IOException {
        byte[] whole = fixture.modernCall("1", "echo", "{\"a\":\"ü\"}");
        String text = new String(whole, StandardCharsets.UTF_8);
        int split = text.indexOf("\r\n\r\n");
        String head =
                text.substring(0, split)
                        .replaceAll("Content-Length: \\d+", "Transfer-Encoding: chunked");
        try (RawHttpConnection client = fixture.connect()) {
            client.send(head + "\r\n\r\n");
            for (byte b : text.substring(split + 4).getBytes(StandardCharsets.UTF_8)) {
                client.send("1\r\n").send(new byte[] {b}).send("\r\n");
            }
            RawHttpConnection.Response reply = client.send("0\r\n\r\n").readResponse();
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.body()).contains("\\u00fc");
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        try (RawHttpConnection client = fixture.connect()) {
            for (int i = 0; i < 20; i++) {
                client.send(fixture.modernCall(Integer.toString(i), "echo", "{}"));
            }
            for (int i = 0; i < 20; i++) {
                assertThat(client.readResponse().body()).contains("\"id\":" + i + ",");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"100000, 1, 431", "100, 1000, 431", "10, 10, 200"})
    void headersAreBounded(int chars, int count, int status) throws IOException {
        String line = "X-Fill: " + "x".repeat(chars);
        String[] lines = new String[count];
        Arrays.fill(lines, line);
        try (RawHttpConnection client = fixture.connect()) {
            client.send(fixture.modernCall("1", "echo", "{}", lines));
            assertThat(client.readResponse().status()).isEqualTo(status);
        }
    }

    @Test
    void oversizedBodyIsRefusedWithItsId() throws IOException {
        String start = "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"x\",\"params\":{\"a\":\"";
        String body = start + "x".repeat(11 * 1024 * 1024) + "\"}}";
        RawHttpConnection.Response reply = fixture.exchange(body);
        assertThat(reply.status()).isEqualTo(413);
        assertThat(reply.errorCode()).isEqualTo(-32600);
        assertThat(reply.body()).contains("\"id\":77");
    }

    @Test
    void bodyAtLimitIsServed() throws IOException {
        String call = HttpServerFixture.call("1", "big", "{\"bytes\":10,\"pad\":\"PAD\"}");
        String padded = call.replace("PAD", "x".repeat(10 * 1024 * 1024 - call.length() + 3));
        assertThat(padded).hasSize(10 * 1024 * 1024);
        RawHttpConnection.Response reply =
                fixture.exchange(padded, fixture.openSession("2025-11-25"));
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.body()).contains("xxxxxxxxxx");
    }

    @Test
    void announcedLengthIsNotTrusted() throws IOException {
        String head = String.join("\r\n", fixture.headers("Content-Length: 9000000000000000000"));
        try (RawHttpConnection client = fixture.connect()) {
            client.send("POST /mcp HTTP/1.1\r\n" + head + "\r\n\r\n{}");
            assertThat(client.readResponse().status()).isEqualTo(413);
        }
    }

    @Test
    void endlessChunksAreCutOff() throws IOException {
        String head = String.join("\r\n", fixture.headers("Transfer-Encoding: chunked"));
        byte[] chunk =
                ("10000\r\n" + "x".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.UTF_8);
        try (RawHttpConnection client = fixture.connect()) {
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
        assertThat(fixture.exchange(fixture.modernCall("1", "echo", "{}")).status()).isEqualTo(200);
    }

    @Test
    void compressedBodyIsRefused() throws IOException {
        RawHttpConnection.Response reply = fixture.exchange("{}", "Content-Encoding: gzip");
        assertThat(reply.status()).isEqualTo(415);
    }

    @Test
    void truncatedBodyReachesNoHandler() throws IOException {
        int before = fixture.service.calls.get();
        byte[] whole = fixture.modernCall("1", "echo", "{}");
        try (RawHttpConnection client = fixture.connect()) {
            client.send(Arrays.copyOf(whole, whole.length - 3));
            client.socket().shutdownOutput();
            assertThat(client.readResponse().status()).isEqualTo(400);
        }
        assertThat(fixture.service.calls).hasValue(before);
    }

    /** Fault 53 over HTTP: none of the files is a message, and each gets its code. */
    @Test
    void everyJsonTestSuiteFileGetsItsErrorCode() throws IOException {
        List<TestData.JsonSuiteFile> cases = TestData.jsonSuiteFiles();
        assertThat(cases).hasSize(TestData.JSON_SUITE_FILES);
        try (RawHttpConnection client = fixture.connect()) {
            for (TestData.JsonSuiteFile file : cases) {
                client.send(RawHttpConnection.postRequest("/mcp", fixture.headers(), file.bytes()));
                RawHttpConnection.Response reply = client.readResponse();
                assertThat(reply.status()).as(file.name()).isEqualTo(400);
                assertThat(file.allowedCodes()).as(file.name()).contains(reply.errorCode());
            }
            client.send(fixture.modernCall("1", "echo", "{}"));
            assertThat(client.readResponse().status()).isEqualTo(200);
        }
    }
}
