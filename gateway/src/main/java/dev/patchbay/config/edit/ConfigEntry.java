package dev.patchbay.config.edit;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.server.ToolFilter;

import java.util.List;
import java.util.Map;

/** A server's entry in a file: its key, and its definition with variables not expanded. */
public record ConfigEntry(String key, Json definition) {
    public ConfigEntry {
        if (!definition.isObject()) {
            throw new IllegalArgumentException("The definition of a server is an object");
        }
    }

    /** A server that is a program to start. */
    public static ConfigEntry stdio(String key, List<String> commandLine, Map<String, String> env) {
        var json = new JsonWriter().beginObject().member("command", commandLine.getFirst());
        if (commandLine.size() > 1) {
            json.name("args").beginArray();
            commandLine.subList(1, commandLine.size()).forEach(json::string);
            json.endArray();
        }
        return new ConfigEntry(key, writeStringMap(json, "env", env).endObject().toJson());
    }

    /** A server behind a URL. */
    public static ConfigEntry http(String key, String url, Map<String, String> headers) {
        var json = new JsonWriter().beginObject().member("type", "http").member("url", url);
        return new ConfigEntry(key, writeStringMap(json, "headers", headers).endObject().toJson());
    }

    /** The entry with a tool filter. */
    public ConfigEntry withToolFilter(ToolFilter filter) {
        if (filter.allowsAll()) {
            return this;
        }
        var json = new JsonWriter().beginObject();
        if (!filter.include().equals(ToolFilter.ALLOW_ALL.include())) {
            writeStrings(json, "include", filter.include());
        }
        if (!filter.exclude().isEmpty()) {
            writeStrings(json, "exclude", filter.exclude());
        }
        return new ConfigEntry(
                key, MemberPatch.with(definition, "tools", json.endObject().toJson()));
    }

    private static void writeStrings(JsonWriter json, String name, List<String> texts) {
        json.name(name).beginArray();
        texts.forEach(json::string);
        json.endArray();
    }

    private static JsonWriter writeStringMap(
            JsonWriter json, String name, Map<String, String> texts) {
        if (!texts.isEmpty()) {
            json.name(name).beginObject();
            texts.forEach(json::member);
            json.endObject();
        }
        return json;
    }
}
