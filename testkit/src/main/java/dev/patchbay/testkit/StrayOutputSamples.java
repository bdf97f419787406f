package dev.patchbay.testkit;

import java.nio.charset.StandardCharsets;

/** What careless servers write between their messages. */
final class StrayOutputSamples {
    private static final byte[] NONE = {};

    private StrayOutputSamples() {}

    static byte[] bytesOf(String kind) {
        return switch (kind) {
            case "" -> NONE;
            case "banner" -> Utf8Text.encode("Server 1.0 listening on stdio\n");
            case "jsonlog" -> Utf8Text.encode("{\"level\":\"info\",\"msg\":\"ready\",\"id\":1}\n");
            case "garbage" -> Utf8Text.encode("}{ \u001b[31mnot json\u001b[0m \"\n");
            case "bom" -> new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
            case "badutf8" -> new byte[] {'"', (byte) 0xff, (byte) 0xfe, (byte) 0xc0, '"', '\n'};
            case "utf16" -> "{\"jsonrpc\":\"2.0\"}\n".getBytes(StandardCharsets.UTF_16LE);
            case "nul" -> new byte[] {0, 0, 0, '\n'};
            case "blank" -> Utf8Text.encode("\n \t\r\n");
            default -> throw new IllegalArgumentException("Unknown noise " + kind);
        };
    }
}
