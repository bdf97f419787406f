package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Texts that are too large for an answer, which clients read as resources. The oldest go when there
 * are too many. Any thread may use it.
 */
final class ResourceStore {
    private static final int RESOURCES_MAX = 100;
    private static final long CHARS_MAX = 32L * 1024 * 1024;

    /** A text with its address. */
    record StoredResource(String uri, String name, String mimeType, String text) {
        /** As part of the content of a tool's result. */
        void writeLink(JsonWriter target) {
            target.beginObject().member("type", "resource_link");
            writeMembers(target);
        }

        private void writeMembers(JsonWriter target) {
            target.member("uri", uri).member("name", name);
            target.member("mimeType", mimeType).member("size", text.length()).endObject();
        }
    }

    /** Differs between two servers of one gateway, so that their addresses do too. */
    private final String prefix =
            "patchbay-java://"
                    + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt())
                    + "/";

    private final Map<String, StoredResource> resources = new LinkedHashMap<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private long chars;
    private int lastNumber;

    /** Keeps a text under a new address. */
    StoredResource add(String name, String mimeType, String text) {
        StoredResource added;
        synchronized (this) {
            added = new StoredResource(prefix + ++lastNumber + "/" + name, name, mimeType, text);
            resources.put(added.uri(), added);
            chars += text.length();
            Iterator<StoredResource> oldest = resources.values().iterator();
            while ((resources.size() > RESOURCES_MAX || chars > CHARS_MAX)
                    && resources.size() > 1) {
                chars -= oldest.next().text().length();
                oldest.remove();
            }
        }
        listeners.forEach(Runnable::run);
        return added;
    }

    /** Runs something after each change, until the result is run. */
    Runnable onChange(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    synchronized Optional<StoredResource> find(String uri) {
        return Optional.ofNullable(resources.get(uri));
    }

    /** The result of {@code resources/list}. */
    synchronized Json list() {
        JsonWriter target = new JsonWriter().beginObject().name("resources").beginArray();
        for (StoredResource one : resources.values()) {
            target.beginObject();
            one.writeMembers(target);
        }
        return target.endArray().endObject().toJson();
    }

    /** The result of {@code resources/templates/list}. */
    Json templates() {
        JsonWriter target = new JsonWriter().beginObject().name("resourceTemplates").beginArray();
        target.beginObject().member("uriTemplate", prefix + "{number}/{name}");
        target.member("name", "large-results");
        target.member(
                "description",
                "Values and flame graphs that a tool's answer links to. The oldest are removed"
                        + " when there are more than 100.");
        return target.endObject().endArray().endObject().toJson();
    }

    /** The result of {@code resources/read}. */
    static Json contents(StoredResource resource) {
        JsonWriter target = new JsonWriter().beginObject().name("contents").beginArray();
        target.beginObject().member("uri", resource.uri());
        target.member("mimeType", resource.mimeType()).member("text", resource.text());
        return target.endObject().endArray().endObject().toJson();
    }
}
