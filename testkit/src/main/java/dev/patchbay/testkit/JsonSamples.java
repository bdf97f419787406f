package dev.patchbay.testkit;

import dev.patchbay.testkit.TestData.JsonSuiteFile;
import dev.patchbay.testkit.TestData.Verdict;

import java.util.ArrayList;
import java.util.List;

/**
 * JSON texts, right and wrong by the grammar of RFC 8259. Each value is used alone, in an array and
 * in an object. None of the texts is a JSON-RPC message.
 */
final class JsonSamples {
    private static final List<String> VALID_VALUES =
            List.of(
                    "null",
                    "true",
                    "false",
                    "0",
                    "-0",
                    "7",
                    "-7",
                    "10",
                    "1234567890",
                    "0.5",
                    "-0.5",
                    "12.25",
                    "1e3",
                    "1E3",
                    "1e+3",
                    "1e-3",
                    "1.5E+10",
                    "0e1",
                    "0.0e-0",
                    "123456789012345678901234567890",
                    "\"\"",
                    "\"text\"",
                    "\"two words\"",
                    "\"\\\"\"",
                    "\"\\\\\"",
                    "\"\\/\"",
                    "\"/\"",
                    "\"\\b\\f\\n\\r\\t\"",
                    "\"\\u0000\"",
                    "\"\\u00e9\\u00C9\"",
                    "\"\\ud83d\\ude00\"",
                    "\"é\"",
                    "\"😀\"",
                    "\"\u2028\u2029\"",
                    "\"\u007f\"",
                    "\"{}[],:\"",
                    "\"null\"",
                    "[]",
                    "[ ]",
                    "[1]",
                    "[1,2]",
                    "[ 1 , 2 ]",
                    "[[],{}]",
                    "[[[[1]]]]",
                    "[null,true,\"x\",1.0]",
                    "{}",
                    "{ }",
                    "{\"a\":1}",
                    "{ \"a\" : 1 , \"b\" : 2 }",
                    "{\"\":0}",
                    "{\"a\":{\"a\":{}}}",
                    "{\"\\u0061\":1,\"b\":[{}]}",
                    "{\"a b\":\"c d\"}");

    private static final List<String> INVALID_VALUES =
            List.of(
                    "nul",
                    "Null",
                    "NULL",
                    "tru",
                    "truE",
                    "TRUE",
                    "False",
                    "nulll",
                    "undefined",
                    "NaN",
                    "-NaN",
                    "Infinity",
                    "-Infinity",
                    "inf",
                    "+1",
                    "++1",
                    "--1",
                    "-",
                    "+",
                    "01",
                    "-01",
                    "00",
                    "007",
                    ".5",
                    "-.5",
                    "1.",
                    "-1.",
                    "1.e3",
                    "1e",
                    "1E",
                    "1e+",
                    "1e-",
                    "1e1.5",
                    "1.2.3",
                    "1..2",
                    "0x10",
                    "0b1",
                    "1_000",
                    "1'000",
                    "1a",
                    "12f",
                    "1L",
                    "１",
                    "\"",
                    "\"a",
                    "a\"",
                    "'a'",
                    "`a`",
                    "\"\\\"",
                    "\"\\x41\"",
                    "\"\\a\"",
                    "\"\\'\"",
                    "\"\\0\"",
                    "\"\\u\"",
                    "\"\\u1\"",
                    "\"\\u12\"",
                    "\"\\u123\"",
                    "\"\\u12g4\"",
                    "\"\\U0041\"",
                    "\"\\u{41}\"",
                    "\"\t\"",
                    "\"\r\"",
                    "\"\u0000\"",
                    "\"\u0001\"",
                    "\"\u001f\"",
                    "\"a\"b",
                    "\"a\" \"b\"",
                    "text",
                    "$",
                    "#",
                    "@",
                    "*",
                    "&",
                    "\\",
                    "\\n",
                    "[",
                    "[1",
                    "[1,",
                    "[,",
                    "[,1]",
                    "[1,]",
                    "[1,,2]",
                    "[1 2]",
                    "[1;2]",
                    "[1:2]",
                    "[\"a\":1]",
                    "[1}",
                    "[[]",
                    "{",
                    "{\"a\"",
                    "{\"a\"}",
                    "{\"a\":",
                    "{\"a\":}",
                    "{\"a\":1",
                    "{\"a\":1,",
                    "{\"a\":1,}",
                    "{,}",
                    "{\"a\" 1}",
                    "{\"a\",1}",
                    "{\"a\":1;\"b\":2}",
                    "{\"a\":1 \"b\":2}",
                    "{\"a\":1,,\"b\":2}",
                    "{a:1}",
                    "{'a':1}",
                    "{1:1}",
                    "{null:1}",
                    "{[]:1}",
                    "{\"a\":1]",
                    "{\"a\"::1}",
                    "{\"a\":1:2}",
                    "(1)",
                    "<a>",
                    "/* c */ 1",
                    "1 /* c */",
                    "1 // c",
                    "# c 1",
                    "1\f",
                    "\u00a01",
                    "1\u00a0",
                    "\u20281",
                    "\u00851",
                    "\u200b1");

    /** Wrong as a whole text, and right or meaningless inside another. */
    private static final List<String> INVALID_TEXTS =
            List.of(
                    "1 2",
                    "1,2",
                    "null null",
                    "[] []",
                    "{} {}",
                    "{}{}",
                    "[1] x",
                    "]",
                    "}",
                    "[]]",
                    "{}}",
                    ",",
                    ":",
                    "[1],",
                    ",[1]",
                    "\"a\",",
                    "\"a\":1",
                    "\u2060{}");

    private static final List<byte[]> INVALID_UTF8 =
            List.of(
                    bytes('"', 0x80, '"'),
                    bytes('"', 0xbf, '"'),
                    bytes('"', 0xc0, 0xaf, '"'),
                    bytes('"', 0xc1, 0xbf, '"'),
                    bytes('"', 0xc3, '"'),
                    bytes('"', 0xe0, 0x80, 0xaf, '"'),
                    bytes('"', 0xe2, 0x82, '"'),
                    bytes('"', 0xed, 0xa0, 0x80, '"'),
                    bytes('"', 0xed, 0xbf, 0xbf, '"'),
                    bytes('"', 0xf0, 0x80, 0x80, 0xaf, '"'),
                    bytes('"', 0xf0, 0x9f, 0x98, '"'),
                    bytes('"', 0xf4, 0x90, 0x80, 0x80, '"'),
                    bytes('"', 0xf8, 0x88, 0x80, 0x80, 0x80, '"'),
                    bytes('"', 0xfe, '"'),
                    bytes('"', 0xff, '"'),
                    bytes('[', 0xff, ']'),
                    bytes(0xe9));

    private JsonSamples() {}

    /** All samples, each under a name that is unique. */
    static List<JsonSuiteFile> all() {
        var samples = new ArrayList<JsonSuiteFile>();
        inEveryPlace(samples, VALID_VALUES, Verdict.VALID);
        inEveryPlace(samples, INVALID_VALUES, Verdict.INVALID);
        for (String text : INVALID_TEXTS) {
            add(samples, Utf8Text.encode(text), Verdict.INVALID);
        }
        for (byte[] text : INVALID_UTF8) {
            add(samples, text, Verdict.INVALID);
        }
        return samples;
    }

    private static void inEveryPlace(
            List<JsonSuiteFile> samples, List<String> values, Verdict verdict) {
        for (String value : values) {
            for (String place : List.of("%s", " %s ", "[%s]", "[0,%s]", "{\"k\":%s}")) {
                add(samples, Utf8Text.encode(place.replace("%s", value)), verdict);
            }
        }
    }

    private static void add(List<JsonSuiteFile> samples, byte[] text, Verdict verdict) {
        String name = "own sample " + samples.size() + ": " + Utf8Text.abbreviate(text);
        samples.add(new JsonSuiteFile(name, text, verdict));
    }

    private static byte[] bytes(int... values) {
        var bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
