package dev.patchbay.gateway;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.RawLists;
import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The last known lists of servers on disk, one file for each configuration of a server, so that
 * clients get them at once after a start; of a server that never told any, that it failed to, so
 * that they do not wait for it again. A file that is not as it should be counts as none. It holds
 * what the server told of itself and nothing of its configuration but a hash, which leaves out the
 * values of environment and headers.
 */
final class ListingStore {
    private static final String FORMAT = "patchbay-lists-1";
    private static final int FILE_BYTES_MAX = 16 * 1024 * 1024;
    private static final int FILES_MAX = 1_000;

    private final @Nullable Path folder;

    /**
     * What is stored about a server.
     *
     * @param listing its lists; null if there are none
     * @param failed whether it sent no lists the last time
     */
    record StoredListing(@Nullable Listing listing, boolean failed) {
        static final StoredListing NONE = new StoredListing(null, false);
    }

    /** Creates a store in a folder; null to store nothing. */
    ListingStore(@Nullable Path stateDir) {
        this.folder = stateDir == null ? null : stateDir.resolve("lists");
    }

    StoredListing load(ServerSpec spec) {
        if (folder == null) {
            return StoredListing.NONE;
        }
        Path file = folder.resolve(fileKey(spec) + ".json");
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > FILE_BYTES_MAX) {
                return StoredListing.NONE;
            }
            return read(spec, Json.parse(Files.readAllBytes(file)));
        } catch (IOException | JsonException e) {
            log().log(DEBUG, "Kept list of " + spec.id() + " is of no use", new LoggedFailure(e));
            return StoredListing.NONE;
        }
    }

    void save(ServerSpec spec, Listing listing) {
        if (folder == null) {
            return;
        }
        byte[] text = write(spec, listing).toBytes();
        if (text.length > FILE_BYTES_MAX) {
            log().log(DEBUG, "The list of {0} is too long to be kept", spec.id());
            return;
        }
        try {
            PrivateFile.createFolder(folder);
            PrivateFile.replace(folder.resolve(fileKey(spec) + ".json"), text);
            deleteOldest();
        } catch (IOException e) {
            log().log(WARNING, "The list of {0} cannot be kept: {1}", spec.id(), e.getMessage());
        }
    }

    /** Stores that a server sent no lists, unless lists are stored. */
    void saveFailure(ServerSpec spec) {
        if (folder == null) {
            return;
        }
        byte[] text = beginFile(spec).member("failed", true).endObject().toJson().toBytes();
        try {
            PrivateFile.createFolder(folder);
            PrivateFile.create(folder.resolve(fileKey(spec) + ".json"), text);
            deleteOldest();
        } catch (FileAlreadyExistsException _) {
            // Lists are more useful, and an earlier failure says the same.
        } catch (IOException e) {
            log().log(WARNING, "The failure of {0} cannot be kept: {1}", spec.id(), e.getMessage());
        }
    }

    private static StoredListing read(ServerSpec spec, Json file) {
        Json format = file.member("format");
        Json server = file.member("server");
        if (format == null
                || !format.isText(FORMAT)
                || server == null
                || !server.isText(spec.id().value())) {
            return StoredListing.NONE;
        }
        if (file.member("failed") != null) {
            return new StoredListing(null, true);
        }
        var lists =
                new RawLists(
                        entries(file, ListKind.TOOLS),
                        entries(file, ListKind.PROMPTS),
                        entries(file, ListKind.RESOURCES),
                        entries(file, ListKind.TEMPLATES),
                        List.of());
        Listing listing =
                Listing.of(spec.id(), lists).withInstructions(file.memberText("instructions"));
        return new StoredListing(listing, false);
    }

    private static List<Json> entries(Json file, ListKind kind) {
        Json list = file.member(kind.member());
        return list == null || !list.isArray() ? List.of() : list.elements();
    }

    private static Json write(ServerSpec spec, Listing listing) {
        RawLists lists = RawLists.of(listing);
        JsonWriter writer = beginFile(spec);
        if (!listing.instructions().isEmpty()) {
            writer.member("instructions", listing.instructions());
        }
        write(writer, ListKind.TOOLS, lists.tools());
        write(writer, ListKind.PROMPTS, lists.prompts());
        write(writer, ListKind.RESOURCES, lists.resources());
        write(writer, ListKind.TEMPLATES, lists.templates());
        return writer.endObject().toJson();
    }

    private static JsonWriter beginFile(ServerSpec spec) {
        return new JsonWriter(1024)
                .beginObject()
                .member("format", FORMAT)
                .member("server", spec.id().value());
    }

    private static void write(JsonWriter writer, ListKind kind, List<Json> entries) {
        writer.name(kind.member()).beginArray();
        entries.forEach(writer::value);
        writer.endArray();
    }

    /** Deletes the oldest files, of servers whose configuration has changed. */
    private void deleteOldest() throws IOException {
        if (folder == null) {
            return;
        }
        List<Path> files;
        try (Stream<Path> listed = Files.list(folder)) {
            files = listed.toList();
        }
        if (files.size() > FILES_MAX) {
            var oldest =
                    files.stream()
                            .sorted(Comparator.comparingLong(file -> file.toFile().lastModified()))
                            .limit(files.size() - FILES_MAX)
                            .toList();
            for (Path file : oldest) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** A hash of what the lists depend on, without secrets. */
    private static String fileKey(ServerSpec spec) {
        var text = new StringBuilder(spec.id().value());
        switch (spec.transport()) {
            case Transport.Stdio it -> {
                text.append("\0stdio\0").append(it.command()).append('\0').append(it.cwd());
                it.args().forEach(arg -> text.append('\0').append(arg));
                it.env().names().forEach(name -> text.append("\0\0").append(name));
            }
            case Transport.Http it -> {
                text.append("\0http\0").append(it.url());
                it.headers().names().forEach(name -> text.append("\0\0").append(name));
            }
            case Transport.Sse it -> {
                text.append("\0sse\0").append(it.url());
                it.headers().names().forEach(name -> text.append("\0\0").append(name));
            }
            case Transport.NotTrusted _ -> text.append("\0untrusted");
            case Transport.Invalid _ -> text.append("\0invalid");
            case Transport.MissingVariables it -> text.append("\0unset\0").append(it.variables());
        }
        return fingerprint(text);
    }

    /**
     * Two independent FNV-1a hashes. A collision has no use for an attacker, who could write the
     * configuration as well; and a message digest takes 10 ms to load.
     */
    private static String fingerprint(CharSequence text) {
        long first = 0xcbf29ce484222325L;
        long second = 0x9ae16a3b2f90404fL;
        for (int i = 0; i < text.length(); i++) {
            first = (first ^ text.charAt(i)) * 0x100000001b3L;
            second = Long.rotateLeft(second ^ text.charAt(i), 23) * 0x9e3779b97f4a7c15L;
        }
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(first) + hex.toHexDigits(second);
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ListingStore.class.getName());
    }
}
