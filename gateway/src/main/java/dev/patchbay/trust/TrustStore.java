package dev.patchbay.trust;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The approvals of the user: for each project file, by its real path, the fingerprints of the
 * servers that may be used. Kept in {@code trust.json}, which only the user can read or write.
 */
public final class TrustStore {
    private static final String FILE_NAME = "trust.json";
    private static final int FILE_BYTES_MAX = 16 << 20;

    private final Path file;

    /**
     * @param stateDirectory the user's own directory, which no configuration file can choose
     */
    public TrustStore(Path stateDirectory) {
        this.file = stateDirectory.resolve(FILE_NAME);
    }

    public Path file() {
        return file;
    }

    /** Returns the approved fingerprints by project file and server key. */
    public SortedMap<String, Map<String, String>> all() throws IOException {
        return parse(AtomicFile.readIfExists(file, FILE_BYTES_MAX));
    }

    /** Returns the approved fingerprints of a project file by server key. */
    public Map<String, String> approved(Path project) throws IOException {
        return all().getOrDefault(project.toString(), Map.of());
    }

    /** Approves servers of a project file in addition to those that are approved. */
    public void approve(Path project, Map<String, String> fingerprints) throws IOException {
        byte[] before = AtomicFile.readIfExists(file, FILE_BYTES_MAX);
        SortedMap<String, Map<String, String>> all = parse(before);
        var servers = new TreeMap<>(all.getOrDefault(project.toString(), Map.of()));
        servers.putAll(fingerprints);
        all.put(project.toString(), servers);
        AtomicFile.replace(file, before, write(all));
    }

    /** Replaces what is approved of a project file by these servers. */
    public void approveOnly(Path project, Map<String, String> fingerprints) throws IOException {
        byte[] before = AtomicFile.readIfExists(file, FILE_BYTES_MAX);
        SortedMap<String, Map<String, String>> all = parse(before);
        all.put(project.toString(), new TreeMap<>(fingerprints));
        AtomicFile.replace(file, before, write(all));
    }

    /** Withdraws every approval of a project file; false if there was none. */
    public boolean revoke(Path project) throws IOException {
        byte[] before = AtomicFile.readIfExists(file, FILE_BYTES_MAX);
        SortedMap<String, Map<String, String>> all = parse(before);
        if (all.remove(project.toString()) == null) {
            return false;
        }
        AtomicFile.replace(file, before, write(all));
        return true;
    }

    /** What cannot be understood approves nothing. */
    private static SortedMap<String, Map<String, String>> parse(byte @Nullable [] bytes) {
        var all = new TreeMap<String, Map<String, String>>();
        try {
            Json files = bytes == null ? null : Json.parse(bytes).member("files");
            if (files != null && files.isObject()) {
                for (Json.Member member : files.members()) {
                    Map<String, String> servers = servers(member.value());
                    all.put(member.name(), Collections.unmodifiableMap(servers));
                }
            }
        } catch (JsonException _) {
            all.clear();
        }
        return all;
    }

    private static Map<String, String> servers(Json project) {
        var servers = new TreeMap<String, String>();
        if (project.isObject()) {
            for (Json.Member member : project.members()) {
                if (member.value().isString()) {
                    servers.put(member.name(), member.value().text());
                }
            }
        }
        return servers;
    }

    private static byte[] write(SortedMap<String, Map<String, String>> all) {
        var json = new JsonWriter().beginObject().member("version", 1).name("files").beginObject();
        all.forEach(
                (project, servers) -> {
                    json.name(project).beginObject();
                    servers.forEach(json::member);
                    json.endObject();
                });
        String text = json.endObject().endObject().toJson() + "\n";
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
