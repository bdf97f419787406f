package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.read.ObjectReader.Range;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.ConfigFault;
import dev.patchbay.server.ServerSpec.EraChoice;
import dev.patchbay.server.ServerSpec.Instances;
import dev.patchbay.server.ServerSpec.Labels;
import dev.patchbay.server.ServerSpec.Limits;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Scope;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ToolFilter;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Reads the entry of one server. */
final class ServerReader {
    private static final Range CONNECTION_TIMEOUT_MS = new Range(1_000, 60_000);
    private static final Range REQUEST_TIMEOUT_MS = new Range(1_000, 300_000);
    private static final Range RETRIES = new Range(0, 10);
    private static final Range IDLE_STOP_MS = new Range(0, 86_400_000);
    private static final Range REPLICAS = new Range(1, 32);

    /** Keys of other programs, and the corresponding keys here. */
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

    private final ObjectReader entry;
    private final ServerId id;

    private ServerReader(ObjectReader fields, ServerId id) {
        this.entry = fields;
        this.id = id;
    }

    /**
     * The server that an entry describes.
     *
     * @param faults gives the faults of the entry, after it was read
     */
    static ServerSpec read(ObjectReader fields, ServerId id, Supplier<List<ConfigFault>> faults) {
        return new ServerReader(fields, id).readServer(faults);
    }

    private ServerSpec readServer(Supplier<List<ConfigFault>> faults) {
        Transport transport = new TransportReader(entry).read();
        var description = entry.readString("description");
        var options =
                new Options(
                        readEnabled(),
                        readLimits(),
                        entry.readConstant("era", EraChoice.class, Options.DEFAULTS.era()),
                        readToolFilter(),
                        new Labels(
                                description == null ? "" : description, entry.readStrings("tags")),
                        entry.readBoolean("allowSecretForms", false),
                        readInstances());
        entry.warnOfUnknownKeys(SYNONYMS);
        List<ConfigFault> found = faults.get();
        if (!found.isEmpty()) {
            var invalid = new Transport.Invalid(entry.has("command"), found);
            return new ServerSpec(id, invalid, options).withRetriesMax(0);
        }
        List<String> unset = entry.unsetVariables();
        if (!unset.isEmpty()) {
            var nowhere = new Transport.MissingVariables(entry.has("command"), unset);
            // The environment of a process does not change, so retries would be useless.
            return new ServerSpec(id, nowhere, options).withRetriesMax(0);
        }
        if (transport == null) {
            throw new IllegalStateException("An entry without a transport has a fault");
        }
        return new ServerSpec(id, transport, options);
    }

    private Limits readLimits() {
        return new Limits(
                readMillis(
                        "connectionTimeoutMs",
                        CONNECTION_TIMEOUT_MS,
                        Limits.DEFAULTS.connectionTimeout()),
                readMillis(
                        "requestTimeoutMs", REQUEST_TIMEOUT_MS, Limits.DEFAULTS.requestTimeout()),
                (int) entry.readInteger("maxRetries", RETRIES, Limits.DEFAULTS.maxRetries()));
    }

    private Instances readInstances() {
        return new Instances(
                entry.readConstant("scope", Scope.class, Instances.DEFAULTS.scope()),
                readMillis("idleStopMs", IDLE_STOP_MS, Instances.DEFAULTS.idleStop()),
                (int) entry.readInteger("replicas", REPLICAS, Instances.DEFAULTS.replicas()));
    }

    private Duration readMillis(String key, Range range, Duration other) {
        return Duration.ofMillis(entry.readInteger(key, range, other.toMillis()));
    }

    private ToolFilter readToolFilter() {
        if (entry.readNode("tools")
                instanceof SyntaxNode.ArrayNode) { // as GitHub Copilot writes it
            return new ToolFilter(readPatterns(entry, "tools"), List.of());
        }
        ObjectReader filter = entry.readObject("tools");
        List<String> include = readPatterns(filter, "include");
        List<String> exclude = readPatterns(filter, "exclude");
        filter.warnOfUnknownKeys(Map.of("allow", "include", "deny", "exclude"));
        return new ToolFilter(
                filter.has("include") ? include : ToolFilter.ALLOW_ALL.include(), exclude);
    }

    /** The valid patterns; the others are reported. */
    static List<String> readPatterns(ObjectReader filter, String key) {
        List<String> patterns = filter.readStrings(key);
        if (patterns.size() > ToolFilter.PATTERNS_MAX) {
            filter.addFinding(
                    Kind.WRONG_VALUE,
                    filter.locationOf(key),
                    "More than " + ToolFilter.PATTERNS_MAX + " patterns",
                    "Use patterns with * that match many names");
            return List.of();
        }
        boolean legal =
                patterns.stream()
                        .mapToInt(String::length)
                        .allMatch(chars -> chars > 0 && chars <= ToolFilter.PATTERN_CHARS_MAX);
        if (!legal) {
            filter.addFinding(
                    Kind.WRONG_VALUE,
                    filter.locationOf(key),
                    "A pattern is empty or longer than " + ToolFilter.PATTERN_CHARS_MAX,
                    "Write tool names; * matches any characters");
            return List.of();
        }
        return patterns;
    }

    private boolean readEnabled() {
        boolean enabled = entry.readBoolean("enabled", true);
        boolean disabled = entry.readBoolean("disabled", false);
        if (!entry.has("disabled")) {
            return enabled;
        }
        Location spot = entry.locationOf("disabled");
        if (entry.has("enabled")) {
            entry.addFinding(
                    Kind.CONFLICT,
                    spot,
                    "Both enabled and disabled are present",
                    "Keep enabled and remove disabled");
        } else {
            entry.addFinding(
                    Kind.FOREIGN_SPELLING,
                    spot,
                    "disabled is the syntax of other programs; it is accepted",
                    "\"enabled\": " + !disabled + " means the same");
        }
        return !disabled;
    }
}
