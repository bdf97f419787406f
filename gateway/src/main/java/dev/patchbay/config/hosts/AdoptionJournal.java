package dev.patchbay.config.hosts;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The changes that adoptions made, in order, so that they can be undone. Kept in {@code
 * adoptions.json}, which only the user can read or write. A change is recorded before it is made.
 */
public final class AdoptionJournal {
    private static final String FILE_NAME = "adoptions.json";
    private static final int FILE_BYTES_MAX = 16 << 20;

    /**
     * A changed file.
     *
     * @param host the host that the file belongs to; null for the configuration of Patchbay
     * @param backup its content before; null if there was no file
     * @param hash the SHA-256 of its content after the change
     * @param taken what was taken out, each as the keys that lead to it; for the configuration, the
     *     servers that were added
     */
    public record ChangedFile(
            @Nullable McpHost host,
            Path file,
            @Nullable Path backup,
            String hash,
            List<List<String>> taken) {
        public ChangedFile {
            taken = taken.stream().map(List::copyOf).toList();
        }
    }

    private final Path file;

    public AdoptionJournal(Path stateDirectory) {
        file = stateDirectory.resolve(FILE_NAME);
    }

    /** The changes that were not undone, the oldest first. */
    public List<ChangedFile> changes() throws IOException {
        byte[] bytes = AtomicFile.readIfExists(file, FILE_BYTES_MAX);
        try {
            Json all = bytes == null ? null : Json.parse(bytes).member("changes");
            var changes = new ArrayList<ChangedFile>();
            if (all != null && all.isArray()) {
                for (Json change : all.elements()) {
                    changes.add(parse(change));
                }
            }
            return changes;
        } catch (JsonException | IllegalArgumentException e) {
            throw new FileSystemException(
                    file.toString(), null, "not readable; restore the backups by hand");
        }
    }

    public boolean hasAdopted(McpHost host) throws IOException {
        return changes().stream().anyMatch(it -> it.host() == host);
    }

    void add(ChangedFile change) throws IOException {
        var changes = new ArrayList<>(changes());
        changes.add(change);
        write(changes);
    }

    void remove(ChangedFile change) throws IOException {
        var changes = new ArrayList<>(changes());
        changes.remove(change);
        write(changes);
    }

    static String hash(byte[] content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static ChangedFile parse(Json change) {
        String host = change.memberText("host");
        String backup = change.memberText("backup");
        var taken = new ArrayList<List<String>>();
        for (Json path : require(change.member("taken")).elements()) {
            taken.add(path.elements().stream().map(Json::text).toList());
        }
        return new ChangedFile(
                host == null ? null : McpHost.byCliName(host).orElseThrow(AdoptionJournal::odd),
                Path.of(require(change.memberText("file"))),
                backup == null ? null : Path.of(backup),
                require(change.memberText("hash")),
                taken);
    }

    private static <T> T require(@Nullable T value) {
        return Optional.ofNullable(value).orElseThrow(AdoptionJournal::odd);
    }

    private static IllegalArgumentException odd() {
        return new IllegalArgumentException("not a journal of adoptions");
    }

    private void write(List<ChangedFile> changes) throws IOException {
        if (changes.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        byte[] before = AtomicFile.readIfExists(file, FILE_BYTES_MAX);
        var json = new JsonWriter().beginObject().member("version", 1);
        json.name("changes").beginArray();
        for (ChangedFile change : changes) {
            json.beginObject();
            if (change.host() != null) {
                json.member("host", change.host().cliName());
            }
            json.member("file", change.file().toString());
            if (change.backup() != null) {
                json.member("backup", change.backup().toString());
            }
            json.member("hash", change.hash()).name("taken").beginArray();
            for (List<String> path : change.taken()) {
                json.beginArray();
                path.forEach(json::string);
                json.endArray();
            }
            json.endArray().endObject();
        }
        String text = json.endArray().endObject().toJson() + "\n";
        AtomicFile.replace(file, before, text.getBytes(StandardCharsets.UTF_8));
    }
}
