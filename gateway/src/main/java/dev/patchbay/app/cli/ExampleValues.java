package dev.patchbay.app.cli;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Candidates for example values, the most readable first. */
final class ExampleValues {
    private static final int NUMBER_CHARS_MAX = 20;

    private static final Map<String, String> BY_FORMAT =
            Map.ofEntries(
                    Map.entry("date", "2026-01-31"),
                    Map.entry("time", "10:00:00Z"),
                    Map.entry("date-time", "2026-01-31T10:00:00Z"),
                    Map.entry("duration", "PT1H"),
                    Map.entry("email", "user@example.com"),
                    Map.entry("hostname", "example.com"),
                    Map.entry("ipv4", "192.0.2.1"),
                    Map.entry("ipv6", "2001:db8::1"),
                    Map.entry("uri", "https://example.com"),
                    Map.entry("uri-reference", "https://example.com"),
                    Map.entry("uuid", "123e4567-e89b-42d3-a456-426614174000"),
                    Map.entry("regex", "a.*"),
                    Map.entry("json-pointer", "/a"));

    /** Words in the name of a property, and a value for each. */
    private static final List<Map.Entry<String, String>> BY_NAME =
            List.of(
                    Map.entry("url", "https://example.com"),
                    Map.entry("uri", "https://example.com"),
                    Map.entry("email", "user@example.com"),
                    Map.entry("path", "/tmp/example.txt"),
                    Map.entry("file", "example.txt"),
                    Map.entry("date", "2026-01-31"),
                    Map.entry("code", "1 + 1"));

    /** Values for patterns; the pattern decides. */
    private static final List<String> FOR_PATTERNS =
            List.of(
                    "example",
                    "a",
                    "A",
                    "1",
                    "EXAMPLE",
                    "12",
                    "123",
                    "1234",
                    "12345",
                    "123456",
                    "2026-01-31",
                    "2026-01",
                    "10:00",
                    "10:00:00",
                    "2026-01-31T10:00:00Z",
                    "user@example.com",
                    "https://example.com",
                    "http://example.com",
                    "example.com",
                    "a-b",
                    "a_b",
                    "a.b",
                    "owner/name",
                    "@owner/name",
                    "1.0.0",
                    "v1.0.0",
                    "1.5",
                    "123e4567-e89b-42d3-a456-426614174000",
                    "#aabbcc",
                    "#AABBCC",
                    "en",
                    "en-US",
                    "EN",
                    "USD",
                    "US",
                    "+15550100",
                    "+12125550100",
                    "0123456789abcdef",
                    "0123456789abcdef01234567",
                    "da39a3ee5e6b4b0d3255bfef95601890afd80709",
                    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                    "/tmp/example.txt",
                    "/a",
                    "/",
                    "./a",
                    "example.txt",
                    "a.json",
                    "a.png",
                    "a.md",
                    "SGVsbG8=",
                    "192.0.2.1",
                    "sha256:0",
                    "1h",
                    "1d",
                    "10s",
                    "5m",
                    "10%",
                    "$a",
                    "${a}",
                    "A1",
                    "a1",
                    "ABC-123",
                    "ABC123",
                    "T1",
                    "C0123456789",
                    "U0123456789",
                    "user:name",
                    "key=value",
                    "a,b",
                    "a b",
                    "true",
                    "asc",
                    "-1",
                    "0",
                    "");

    private ExampleValues() {}

    static List<Json> texts(SchemaNode schema, String name) {
        var texts = new ArrayList<String>();
        String format = BY_FORMAT.get(schema.text("format"));
        if (format != null) {
            texts.add(format);
        }
        if (schema.keyword("pattern") != null) {
            texts.addAll(FOR_PATTERNS);
        }
        String lower = name.toLowerCase(Locale.ROOT);
        for (Map.Entry<String, String> word : BY_NAME) {
            if (lower.contains(word.getKey())) {
                texts.add(word.getValue());
            }
        }
        texts.add("example");
        int least = (int) ExampleArguments.number(schema, "minLength", 0);
        int most = (int) ExampleArguments.number(schema, "maxLength", Integer.MAX_VALUE);
        var fitting = new ArrayList<Json>();
        for (String text : texts) {
            fitting.add(Json.string(fit(text, least, most)));
        }
        return fitting;
    }

    private static String fit(String text, int least, int most) {
        String longer = text.length() >= least ? text : text + "x".repeat(least - text.length());
        return longer.length() <= most ? longer : longer.substring(0, most);
    }

    static List<Json> numbers(SchemaNode schema) {
        var values = new ArrayList<Json>();
        values.add(Json.number(1));
        for (String keyword : List.of("minimum", "multipleOf", "maximum", "exclusiveMinimum")) {
            addAround(values, schema.keyword(keyword));
        }
        addAround(values, schema.keyword("exclusiveMaximum"));
        values.add(Json.number(0));
        return values;
    }

    private static void addAround(List<Json> values, @Nullable Json limit) {
        if (limit == null || !limit.isNumber() || limit.length() > NUMBER_CHARS_MAX) {
            return;
        }
        values.add(limit);
        var number = new BigDecimal(limit.toString());
        if (Math.abs(number.scale()) > NUMBER_CHARS_MAX) {
            return; // written with an exponent
        }
        for (String step : List.of("1", "-1", "0.5", "-0.5")) {
            add(values, number.add(new BigDecimal(step)).toPlainString());
        }
    }

    private static void add(List<Json> values, String number) {
        try {
            values.add(Json.parse(number.getBytes(StandardCharsets.UTF_8)));
        } catch (JsonException _) {
            return; // too long for a number
        }
    }
}
