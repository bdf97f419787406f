package dev.patchbay.http.server;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.files.PrivateFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;

/**
 * The legacy sessions on disk, one private file for each. The name of a file is the hash of the
 * session's id, so that nobody who sees the folder can use a session.
 */
final class LegacySessionStore {
    /** A session that was not used for so long is not continued. */
    static final Duration AGE_MAX = Duration.ofDays(1);

    private static final int FILE_BYTES_MAX = 64 * 1024;
    private static final String SUFFIX = ".json";

    private final @Nullable Path folder;
    private final InstantSource clock;

    /** A store in a folder; null to keep nothing. */
    LegacySessionStore(@Nullable Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Deletes the sessions that are too old. */
    void deleteOld() {
        if (folder == null || !Files.isDirectory(folder)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
            for (Path file : files) {
                if (isOld(file)) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            log(e);
        }
    }

    void save(String id, StoredSession session) {
        byte[] bytes = session.toBytes();
        if (folder == null || bytes.length > FILE_BYTES_MAX) {
            return;
        }
        try {
            PrivateFile.createFolder(folder);
            PrivateFile.replace(fileOf(folder, id), bytes);
        } catch (IOException e) {
            log(e);
        }
    }

    void delete(String id) {
        if (folder == null) {
            return;
        }
        try {
            Files.deleteIfExists(fileOf(folder, id));
        } catch (IOException e) {
            log(e);
        }
    }

    /** The session of that id; null if there is none, or it is too old. */
    @Nullable StoredSession find(String id) {
        if (folder == null) {
            return null;
        }
        Path file = fileOf(folder, id);
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > FILE_BYTES_MAX || isOld(file)) {
                return null;
            }
            return StoredSession.of(Files.readAllBytes(file));
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            log(e);
            return null;
        }
    }

    private boolean isOld(Path file) throws IOException {
        Instant oldest = clock.instant().minus(AGE_MAX);
        return Files.getLastModifiedTime(file).toInstant().isBefore(oldest);
    }

    private static Path fileOf(Path folder, String id) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(id.getBytes(StandardCharsets.UTF_8));
            return folder.resolve(HexFormat.of().formatHex(digest) + SUFFIX);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static void log(IOException e) {
        System.getLogger(LegacySessionStore.class.getName())
                .log(WARNING, "A session could not be stored or read: {0}", e.getMessage());
    }
}
