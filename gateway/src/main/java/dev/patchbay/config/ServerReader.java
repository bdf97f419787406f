package dev.patchbay.config;

import dev.patchbay.config.Fields.Range;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Findings.Spot;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ServerSpec.Words;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the entry of one server. */
final class ServerReader {
    private static final Range CONNECTION_TIMEOUT_MS = new Range(1_000, 60_000);
    private static final Range REQUEST_TIMEOUT_MS = new Range(1_000, 300_000);
    private static final Range RETRIES = new Range(0, 10);

    /** What other programs call our keys. */
    private static final Map<String, String> SYNONYMS =
            Map.ofEntries(
                    Map.entry("cmd", "command"),
                    Map.entry("arguments", "args"),
                    Map.entry("environment", "env"),
                    Map.entry("workingDirectory", "cwd"),
                    Map.entry("serverUrl", "url"),
                    Map.entry("httpUrl", "url"),
                    Map.entry("uri", "url"),
                    Map.entry("endpoint", "url"),
                    Map.entry("transport", "type"),
                    Map.entry("transportType", "type"),
                    Map.entry("http_headers", "headers"),
                    Map.entry("timeout", "requestTimeoutMs"),
                    Map.entry("requestTimeout", "requestTimeoutMs"),
                    Map.entry("connectTimeout", "connectionTimeoutMs"),
                    Map.entry("retries", "maxRetries"),
                    Map.entry("includeTools", "tools.include"),
                    Map.entry("enabledTools", "tools.include"),
                    Map.entry("enabled_tools", "tools.include"),
                    Map.entry("allowedTools", "tools.include"),
                    Map.entry("excludeTools", "tools.exclude"),
                    Map.entry("disabledTools", "tools.exclude"),
                    Map.entry("disabled_tools", "tools.exclude"));

    private final Fields fields;
    private final ServerId id;

    private ServerReader(Fields fields, ServerId id) {
        this.fields = fields;
        this.id = id;
    }

    /** The server, or null after a fault that leaves no way to reach it. */
    static @Nullable ServerSpec read(Fields fields, ServerId id) {
        return new ServerReader(fields, id).run();
    }

    private @Nullable ServerSpec run() {
        Transport transport = new TransportReader(fields).read();
        var limits =
                new Limits(
                        millis(
                                "connectionTimeoutMs",
                                CONNECTION_TIMEOUT_MS,
                                Limits.DEFAULTS.connectionTimeout()),
                        millis(
                                "requestTimeoutMs",
                                REQUEST_TIMEOUT_MS,
                                Limits.DEFAULTS.requestTimeout()),
                        (int) fields.number("maxRetries", RETRIES, Limits.DEFAULTS.maxRetries()));
        var description = fields.text("description");
        var options =
                new Options(
                        enabled(),
                        limits,
                        fields.word("era", EraChoice.class, Options.DEFAULTS.era()),
                        tools(),
                        new Words(description == null ? "" : description, fields.texts("tags")));
        fields.warnOfUnknown(SYNONYMS);
        List<String> unset = fields.unset();
        if (!unset.isEmpty()) {
            var nowhere = new Transport.Unset(fields.has("command"), unset);
            // Nothing changes between attempts: the environment of a process is what it is.
            return new ServerSpec(id, nowhere, options).withRetries(0);
        }
        return transport == null ? null : new ServerSpec(id, transport, options);
    }

    private Duration millis(String key, Range range, Duration other) {
        return Duration.ofMillis(fields.number(key, range, other.toMillis()));
    }

    private ToolFilter tools() {
        if (fields.take("tools") instanceof Node.Sequence) { // as GitHub Copilot has it
            return new ToolFilter(patterns(fields, "tools"), List.of());
        }
        Fields filter = fields.fields("tools");
        List<String> include = patterns(filter, "include");
        List<String> exclude = patterns(filter, "exclude");
        filter.warnOfUnknown(Map.of("allow", "include", "deny", "exclude"));
        return new ToolFilter(filter.has("include") ? include : ToolFilter.NONE.include(), exclude);
    }

    /** The patterns that are such; what is wrong with the others is found. */
    private static List<String> patterns(Fields filter, String key) {
        List<String> patterns = filter.texts(key);
        if (patterns.size() > ToolFilter.PATTERNS_MAX) {
            filter.add(
                    Kind.WRONG_VALUE,
                    filter.spot(key),
                    "There are more than " + ToolFilter.PATTERNS_MAX + " patterns",
                    "Let one pattern with * stand for many names");
            return List.of();
        }
        boolean legal =
                patterns.stream()
                        .mapToInt(String::length)
                        .allMatch(chars -> chars > 0 && chars <= ToolFilter.PATTERN_CHARS_MAX);
        if (!legal) {
            filter.add(
                    Kind.WRONG_VALUE,
                    filter.spot(key),
                    "A pattern is empty, or longer than " + ToolFilter.PATTERN_CHARS_MAX,
                    "Write names of tools, in which * stands for any characters");
            return List.of();
        }
        return patterns;
    }

    private boolean enabled() {
        boolean enabled = fields.flag("enabled", true);
        boolean disabled = fields.flag("disabled", false);
        if (!fields.has("disabled")) {
            return enabled;
        }
        Spot spot = fields.spot("disabled");
        if (fields.has("enabled")) {
            fields.add(
                    Kind.CONFLICT,
                    spot,
                    "Both enabled and disabled are written",
                    "Keep enabled and remove disabled");
        } else {
            fields.add(
                    Kind.FOREIGN_SPELLING,
                    spot,
                    "disabled is how other programs write it; it is understood",
                    "\"enabled\": " + !disabled + " does the same");
        }
        return !disabled;
    }
}
