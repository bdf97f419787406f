package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;

/**
 * Definitions of tools, as JSON, that a careful client must stand: odd names and hostile schemas.
 * Written into one array they are a {@code --tools-file} of a {@link ScriptedServer}.
 */
public final class HostileToolDefinitions {
    private static final String ANY = "{\"type\":\"object\"}";
    private static final int DOUBLINGS = 26;
    private static final int DEPTH = 5_000;

    private HostileToolDefinitions() {}

    /** A definition with this name, given as it shall be spelled, and this schema. */
    public static String tool(String rawName, String schema) {
        return "{\"name\":" + rawName + ",\"inputSchema\":" + schema + "}";
    }

    /** One good tool, then those of the list, as the text of a tools file. */
    public static String file(List<String> definitions) {
        var all = new ArrayList<String>();
        all.add("{\"name\":\"good\",\"x-behaviour\":\"echo\",\"inputSchema\":" + ANY + "}");
        all.addAll(definitions);
        return "[" + String.join(",", all) + "]";
    }

    /** Names that collide, confuse or are none, each with a schema that is right. */
    public static List<String> oddNames() {
        var definitions = new ArrayList<String>();
        for (String name :
                List.of(
                        "",
                        " ",
                        "a b",
                        "a.b",
                        ".a",
                        "a..b",
                        "a__b",
                        "good",
                        "Good",
                        "gооd",
                        "é",
                        "😀",
                        "a\u0000",
                        "a\n",
                        "a\u2028",
                        "a\u001b[31m",
                        "../x",
                        "__proto__",
                        "n".repeat(128),
                        "n".repeat(129),
                        "N".repeat(1 << 20))) {
            definitions.add(tool(StrictJson.quote(name), ANY));
        }
        definitions.add(tool("5", ANY));
        definitions.add(tool("null", ANY));
        definitions.add("{\"inputSchema\":" + ANY + "}");
        definitions.add("5");
        definitions.add("null");
        return definitions;
    }

    /** Schemas that are wrong, endless, slow or reach out, each under a name that is right. */
    public static List<String> hostileSchemas() {
        var schemas =
                new ArrayList<>(
                        List.of(
                                "5",
                                "null",
                                "true",
                                "[]",
                                "{}",
                                "{\"type\":\"string\"}",
                                "{\"type\":5}",
                                "{\"type\":\"object\",\"required\":\"a\"}",
                                "{\"type\":\"object\",\"$schema\":\"http://nowhere.invalid/x\"}",
                                "{\"type\":\"object\",\"$id\":\"file:///etc/passwd\"}",
                                property("{\"$ref\":\"http://127.0.0.1:9/x\"}"),
                                property("{\"$ref\":\"file:///etc/passwd\"}"),
                                property("{\"$ref\":\"#/no/such/place\"}"),
                                "{\"type\":\"object\",\"$ref\":\"#\"}",
                                "{\"type\":\"object\",\"allOf\":[{\"$ref\":\"#\"}]}",
                                mutual(),
                                property("{\"pattern\":\"(\"}"),
                                property("{\"pattern\":\"^(.*?,){12}P\"}"),
                                property("{\"pattern\":\"^(a+)+\\\\1b$\"}"),
                                doubling(),
                                nested()));
        var definitions = new ArrayList<String>();
        for (String schema : schemas) {
            definitions.add(tool("\"hostile" + definitions.size() + "\"", schema));
        }
        definitions.add("{\"name\":\"hostileWithout\"}");
        return definitions;
    }

    private static String property(String schema) {
        return "{\"type\":\"object\",\"properties\":{\"x\":" + schema + "}}";
    }

    private static String mutual() {
        return "{\"type\":\"object\",\"$ref\":\"#/$defs/a\",\"$defs\":{\"a\":{\"$ref\":"
                + "\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}}}";
    }

    /** A small schema that asks the same question two to the power of its levels times. */
    private static String doubling() {
        var definitions = new StringBuilder("\"d0\":{\"type\":\"object\"}");
        for (int i = 1; i <= DOUBLINGS; i++) {
            String ref = "{\"$ref\":\"#/$defs/d" + (i - 1) + "\"}";
            definitions.append(",\"d").append(i).append("\":{\"allOf\":[");
            definitions.append(ref).append(',').append(ref).append("]}");
        }
        return "{\"type\":\"object\",\"$ref\":\"#/$defs/d"
                + DOUBLINGS
                + "\",\"$defs\":{"
                + definitions
                + "}}";
    }

    private static String nested() {
        return "{\"type\":\"object\",\"properties\":{\"x\":".repeat(DEPTH)
                + ANY
                + "}}".repeat(DEPTH);
    }
}
