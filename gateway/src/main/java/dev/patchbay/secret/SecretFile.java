package dev.patchbay.secret;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The file that says in which store each secret is. The store {@code file} keeps its values in it
 * too. Only the owner can read the file.
 */
final class SecretFile {
    private static final int BYTES_MAX = 1 << 20;
    private static final String FILE_STORE = "file";

    private final Path file;

    /** Where a secret is; with its value if that is in this file. */
    record Entry(String store, @Nullable String value) {
        static Entry inFile(String value) {
            return new Entry(FILE_STORE, value);
        }

        @Override
        public String toString() {
            return store;
        }
    }

    /** A change of the entries. */
    interface Change {
        void apply(Map<String, Entry> entries) throws IOException;
    }

    SecretFile(Path file) {
        this.file = file;
    }

    Map<String, Entry> read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(BYTES_MAX);
        } catch (NoSuchFileException e) {
            return new TreeMap<>();
        }
        try {
            return parse(Json.parse(bytes));
        } catch (JsonException e) {
            throw new FileSystemException(file.toString(), null, "not valid JSON");
        }
    }

    private static Map<String, Entry> parse(Json document) {
        var entries = new TreeMap<String, Entry>();
        Json secrets = document.isObject() ? document.member("secrets") : null;
        if (secrets != null && secrets.isObject()) {
            for (Json.Member member : secrets.members()) {
                String store = member.value().isObject() ? member.value().memberText("store") : "";
                if (store != null && !store.isEmpty()) {
                    entries.put(
                            member.name(), new Entry(store, member.value().memberText("value")));
                }
            }
        }
        return entries;
    }

    /** Changes the file while no other process does. */
    void update(Change change) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent(), "no folder");
        PrivateFile.createFolder(folder);
        Path lockFile = folder.resolve(file.getFileName() + ".lock");
        synchronized (SecretFile.class) {
            try (FileChannel channel = PrivateFile.open(lockFile);
                    var _ = channel.lock()) {
                Map<String, Entry> entries = read();
                change.apply(entries);
                PrivateFile.replace(file, write(entries));
            }
        }
    }

    private static byte[] write(Map<String, Entry> entries) {
        var writer = new JsonWriter().beginObject().name("secrets").beginObject();
        entries.forEach(
                (name, entry) -> {
                    writer.name(name).beginObject().member("store", entry.store());
                    String value = entry.value();
                    if (value != null) {
                        writer.member("value", value);
                    }
                    writer.endObject();
                });
        return writer.endObject().endObject().toJson().toBytes();
    }
}
