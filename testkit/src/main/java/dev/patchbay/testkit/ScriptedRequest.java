package dev.patchbay.testkit;

import java.util.Map;
import java.util.Optional;

/** A request a {@link ScriptedServer} received. Ids and arguments keep their spelling. */
final class ScriptedRequest {
    private final byte[] line;
    private final JsonTree message;
    private final String id;
    private final boolean modern;
    private final Map<String, String> defaults;
    private volatile boolean cancelled;
    private Runnable onCancel = () -> {};

    /** Reads a request; a server of the legacy era does not see a modern claim in it. */
    static ScriptedRequest of(byte[] line, JsonTree message, boolean legacyOnly) {
        boolean claim = message.findAt("params", "_meta", ClientMessages.VERSION_KEY).isPresent();
        return new ScriptedRequest(line, message, claim && !legacyOnly, Map.of());
    }

    private ScriptedRequest(
            byte[] line, JsonTree message, boolean modern, Map<String, String> defaults) {
        this.line = line;
        this.message = message;
        this.id = StrictJson.rawValue(line, "id").orElse("null");
        this.modern = modern;
        this.defaults = defaults;
    }

    /** The same request with values for arguments it does not give. */
    ScriptedRequest with(Map<String, String> values) {
        return values.isEmpty() ? this : new ScriptedRequest(line, message, modern, values);
    }

    /** The id as it was spelled. */
    String id() {
        return id;
    }

    String method() {
        return message.at("method").asText();
    }

    /** Whether the request is served by the rules of 2026-07-28. */
    boolean modern() {
        return modern;
    }

    Optional<JsonTree> param(Object... path) {
        return message.member("params").flatMap(params -> params.findAt(path));
    }

    String rawParam(String name) {
        return StrictJson.rawValue(line, "params", name).orElse("null");
    }

    /** The arguments as they were spelled, or an empty object. */
    String rawArguments() {
        return StrictJson.rawValue(line, "params", "arguments").orElse("{}");
    }

    String rawArgument(String name, String otherwise) {
        return StrictJson.rawValue(line, "params", "arguments", name).orElse(otherwise);
    }

    /** An argument as text, else its default, else the value given. */
    String text(String name, String otherwise) {
        Optional<JsonTree> value = param("arguments", name);
        if (value.isPresent()) {
            return value.get() instanceof JsonTree.Str string
                    ? string.value()
                    : value.get().write();
        }
        return defaults.getOrDefault(name, otherwise);
    }

    long number(String name, long otherwise) {
        return Long.parseLong(text(name, Long.toString(otherwise)));
    }

    synchronized void cancel() {
        cancelled = true;
        onCancel.run();
    }

    /** Has this done when the request is cancelled, which it must not be yet. */
    synchronized void onCancel(Runnable work) {
        onCancel = work;
    }

    boolean cancelled() {
        return cancelled;
    }
}
