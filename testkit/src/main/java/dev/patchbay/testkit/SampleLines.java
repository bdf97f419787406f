package dev.patchbay.testkit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines every endpoint must stand, one of each kind the acceptance cases name. What must come
 * back is the {@link LineOracle}'s to say.
 */
public final class SampleLines {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}";

    private SampleLines() {}

    /** All samples but those that are large. */
    public static List<SampleLine> all() {
        var all = new ArrayList<SampleLine>();
        all.addAll(ids());
        all.addAll(envelopes());
        all.addAll(params());
        all.addAll(unanswered());
        all.addAll(unparsable());
        all.addAll(encodings());
        all.addAll(batches());
        all.addAll(nested());
        return all;
    }

    /** Ids of every kind, legal or not. */
    public static List<SampleLine> ids() {
        var ids = new ArrayList<String>();
        ids.addAll(List.of("0", "-1", "\"\"", "\"7\"", "7", "9007199254740993"));
        ids.addAll(List.of("9223372036854775808", "18446744073709551617", "9".repeat(400)));
        ids.addAll(List.of("1.0", "1e2", "-0", "1.5", "1e400", "-0.0", "1E+2", "10e-1", "1e-1"));
        ids.addAll(List.of("1e22", "1e23", "0e999999999", "1e999999999", "1e-999999999"));
        ids.addAll(List.of("1e2147483648", "1e99999999999", "1e-99999999999", "0e-99999999999"));
        ids.addAll(List.of("true", "false", "null", "[]", "{}", "[1]", "{\"a\":1}"));
        ids.addAll(List.of("\"\\u00e9\\u2028\\\"\\\\\\n\\ud83d\\ude00\"", "\"é\u2028😀\""));
        ids.addAll(List.of("\"\\ud800\"", "\"" + "i".repeat(10_000) + "\"", "\"null\""));
        return ids.stream()
                .map(id -> SampleLine.of("id", ClientMessages.request(id, "ping", "")))
                .toList();
    }

    /** Objects that are no right envelope, or an unusual one. */
    public static List<SampleLine> envelopes() {
        return labelled(
                "envelope",
                "{}",
                "{\"id\":7}",
                "{\"jsonrpc\":\"2.0\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7}",
                "{\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":2.0,\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.00\",\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":null,\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":null}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":[]}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"Tools/List\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list \"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"rpc.x\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools\\u002flist\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"\\u006dethod\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"ID\":7,\"Method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"Method\":\"tools/list\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"__proto__\":{},\"_meta\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"result\":{}}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":7,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":8,\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"method\":\"ping\"}",
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{},\"params\":{}}",
                ClientMessages.request("7", "ping", "{\"a\":1,\"\\u0061\":2}"),
                ClientMessages.request("7", "no/such", "{\"m\":\"\\u0000\"}"),
                " \t" + PING + " \r",
                "{\"jsonrpc\":\"2.0\",\r\"id\":7,\"method\":\"ping\"}");
    }

    /** Params of every kind, for a method and for the call of a tool. */
    public static List<SampleLine> params() {
        var samples = new ArrayList<SampleLine>();
        for (String params :
                List.of("{}", "[]", "[1]", "\"x\"", "5", "true", "null", "{\"_meta\":{}}")) {
            samples.add(SampleLine.of("params", ClientMessages.request("7", "tools/list", params)));
            samples.add(SampleLine.of("params", ClientMessages.request("7", "no/such", params)));
            samples.add(SampleLine.of("params", ClientMessages.request("7", "tools/call", params)));
        }
        for (String call :
                List.of(
                        "{\"name\":5}",
                        "{\"name\":null}",
                        "{\"name\":\"no-such-tool\"}",
                        "{\"name\":\"no-such-tool\",\"arguments\":\"x\"}",
                        "{\"name\":\"no-such-tool\",\"arguments\":null}",
                        "{\"name\":\"no-such-tool\",\"arguments\":[]}")) {
            samples.add(SampleLine.of("call", ClientMessages.request("7", "tools/call", call)));
        }
        samples.add(
                SampleLine.of(
                        "cursor", ClientMessages.request("7", "tools/list", "{\"cursor\":5}")));
        samples.add(
                SampleLine.of(
                        "cursor", ClientMessages.request("7", "tools/list", "{\"cursor\":\"x\"}")));
        return samples;
    }

    /** Notifications, stray responses and blank lines. */
    public static List<SampleLine> unanswered() {
        var samples = new ArrayList<SampleLine>();
        for (String method : List.of("tools/list", "nope", "notifications/xyz", "ping")) {
            for (String params : List.of("", "{}", "[]", "5", "null")) {
                samples.add(
                        SampleLine.of("notification", ClientMessages.notification(method, params)));
            }
        }
        samples.addAll(
                labelled(
                        "cancel of nothing",
                        ClientMessages.cancelled("12345"),
                        ClientMessages.cancelled("\"7\""),
                        ClientMessages.cancelled("{}"),
                        ClientMessages.notification("notifications/cancelled", "{}")));
        samples.addAll(
                labelled(
                        "stray response",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":1}}",
                        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{},\"error\":{}}",
                        "{\"id\":7,\"result\":{}}",
                        "{\"result\":1}",
                        "{\"error\":null}"));
        samples.addAll(labelled("blank", "", " ", "\t", "\r", " \r \t "));
        return samples;
    }

    /** Text that is not JSON, and JSON that is no object. */
    public static List<SampleLine> unparsable() {
        var samples =
                new ArrayList<>(
                        labelled(
                                "not JSON",
                                "{not json}",
                                "{not valid json}",
                                PING.substring(0, PING.length() - 1),
                                PING.substring(0, 20),
                                PING + PING,
                                PING + " x",
                                "[1,]",
                                "{\"a\":1,}",
                                "{'a':1}",
                                "/* c */" + PING,
                                PING + "// c",
                                "NaN",
                                "[Infinity]",
                                "{\"id\":01}",
                                "[+1]",
                                "[0x1]",
                                "[.5]",
                                "[1.]",
                                "{a:1}",
                                "{\"a\":\"\u0001\"}",
                                "{\"a\":\"\u0000\"}",
                                "{\"a\":\"\t\"}",
                                "]",
                                "\"open",
                                "{\"a\"}",
                                "{\"a\":}",
                                "nul",
                                "True",
                                "{\"jsonrpc\":\"2.0\",\"id\":7,\"id\":7,"));
        samples.addAll(labelled("no object", "null", "42", "\"x\"", "true", "false", "-0", "1e5"));
        return samples;
    }

    /** Bytes that are not UTF-8, and UTF-8 that surprises. */
    public static List<SampleLine> encodings() {
        var samples = new ArrayList<SampleLine>();
        samples.add(new SampleLine("FF FE", bytes(0xff, 0xfe)));
        samples.add(new SampleLine("overlong", insideRequest(0xc0, 0xaf)));
        samples.add(new SampleLine("surrogate", insideRequest(0xed, 0xa0, 0x80)));
        samples.add(new SampleLine("truncated", insideRequest(0xe2, 0x82)));
        samples.add(new SampleLine("truncated at the end", bytes('"', 0xe2, 0x82)));
        samples.add(new SampleLine("beyond Unicode", insideRequest(0xf4, 0x90, 0x80, 0x80)));
        samples.add(new SampleLine("stray continuation", insideRequest(0x80)));
        samples.add(new SampleLine("UTF-16", PING.getBytes(StandardCharsets.UTF_16LE)));
        samples.add(new SampleLine("UTF-16 with mark", PING.getBytes(StandardCharsets.UTF_16)));
        samples.add(SampleLine.of("byte order mark", "\uFEFF" + PING));
        samples.add(SampleLine.of("only a byte order mark", "\uFEFF"));
        samples.add(SampleLine.of("word joiner", "\u2060" + PING));
        samples.add(SampleLine.of("no-break space", "\u00a0" + PING));
        for (String odd : List.of("\u2028", "\u0085", "\u007f", "😀", "\ufeff", "\ufffe")) {
            samples.add(
                    SampleLine.of("odd", ClientMessages.request("\"" + odd + "\"", "ping", "")));
        }
        return samples;
    }

    /** Arrays, which are right in one version only. */
    public static List<SampleLine> batches() {
        String note = ClientMessages.notification("notifications/xyz", "");
        return labelled(
                "batch",
                "[]",
                "[1]",
                "[1,2,3]",
                "[[]]",
                "[null]",
                "[" + PING + "]",
                "[" + PING + "," + ClientMessages.request("\"b\"", "tools/list", "") + "]",
                "[" + note + "]",
                "[" + note + "," + PING + ",{},5]",
                "[" + ClientMessages.request("8", "no/such", "") + "]",
                "[{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}]");
    }

    /** Deep values: the deepest legal one, one more, and far beyond. */
    public static List<SampleLine> nested() {
        var samples = new ArrayList<SampleLine>();
        for (int depth : List.of(100, 497, 498, 499, 500, 1_000, 10_000, 200_000)) {
            String deep = "[".repeat(depth) + "]".repeat(depth);
            String params = "{\"x\":" + deep + "}";
            String first = ClientMessages.request("7", "ping", params);
            String last =
                    "{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":" + params + ",\"id\":8}";
            samples.add(SampleLine.of("depth " + (depth + 2), first));
            samples.add(SampleLine.of("depth " + (depth + 2) + ", id last", last));
            samples.add(SampleLine.of("array of depth " + depth, deep));
            samples.add(SampleLine.of("unclosed " + depth, "[".repeat(depth)));
        }
        return samples;
    }

    /** A legal request that is exactly so long. */
    public static byte[] requestOfLength(String rawId, int bytes) {
        String head =
                "{\"jsonrpc\":\"2.0\",\"id\":"
                        + rawId
                        + ",\"method\":\"ping\",\"params\":{\"x\":\"";
        String tail = "\"}}";
        return Utf8Text.encode(head + "x".repeat(bytes - head.length() - tail.length()) + tail);
    }

    private static List<SampleLine> labelled(String label, String... lines) {
        var samples = new ArrayList<SampleLine>();
        for (String line : lines) {
            samples.add(SampleLine.of(label, line));
        }
        return samples;
    }

    /** These bytes within the string of a request that is otherwise right. */
    private static byte[] insideRequest(int... middle) {
        byte[] head = Utf8Text.encode("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"");
        byte[] tail = Utf8Text.encode("\"}");
        byte[] whole = new byte[head.length + middle.length + tail.length];
        System.arraycopy(head, 0, whole, 0, head.length);
        System.arraycopy(bytes(middle), 0, whole, head.length, middle.length);
        System.arraycopy(tail, 0, whole, head.length + middle.length, tail.length);
        return whole;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
