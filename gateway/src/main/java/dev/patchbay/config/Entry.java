package dev.patchbay.config;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Splice;
import dev.patchbay.server.ToolFilter;

import java.util.List;
import java.util.Map;

/**
 * A server as it is written into a file: its key, and its definition with variables still to be
 * filled in.
 */
public record Entry(String key, Json definition) {
    public Entry {
        if (!definition.isObject()) {
            throw new IllegalArgumentException("The definition of a server is an object");
        }
    }

    /** A program to start. */
    public static Entry stdio(String key, List<String> commandLine, Map<String, String> env) {
        var json = new JsonWriter().beginObject().member("command", commandLine.getFirst());
        if (commandLine.size() > 1) {
            json.name("args").beginArray();
            commandLine.subList(1, commandLine.size()).forEach(json::string);
            json.endArray();
        }
        return new Entry(key, texts(json, "env", env).endObject().toJson());
    }

    /** A server that runs already. */
    public static Entry http(String key, String url, Map<String, String> headers) {
        var json = new JsonWriter().beginObject().member("type", "http").member("url", url);
        return new Entry(key, texts(json, "headers", headers).endObject().toJson());
    }

    /** The same where clients get only the tools that a filter lets through. */
    public Entry withTools(ToolFilter filter) {
        if (filter.isNone()) {
            return this;
        }
        var json = new JsonWriter().beginObject();
        if (!filter.include().equals(ToolFilter.NONE.include())) {
            list(json, "include", filter.include());
        }
        if (!filter.exclude().isEmpty()) {
            list(json, "exclude", filter.exclude());
        }
        return new Entry(key, Splice.with(definition, "tools", json.endObject().toJson()));
    }

    private static void list(JsonWriter json, String name, List<String> texts) {
        json.name(name).beginArray();
        texts.forEach(json::string);
        json.endArray();
    }

    private static JsonWriter texts(JsonWriter json, String name, Map<String, String> texts) {
        if (!texts.isEmpty()) {
            json.name(name).beginObject();
            texts.forEach(json::member);
            json.endObject();
        }
        return json;
    }
}
