package dev.patchbay.config.hosts;

import dev.patchbay.config.AtomicFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Dated backups of a file in the same folder. An empty marker records that there was no file. */
final class Backups {
    private static final String BACKUP_SUFFIX = ".patchbay-backup-";
    private static final String CREATED_SUFFIX = ".patchbay-created-";
    private static final String ADOPTED_SUFFIX = ".patchbay-adopted-";
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

    /** A backup; the content is null if there was no file. */
    record Backup(Path file, @Nullable String content) {}

    private final InstantSource clock;

    Backups(InstantSource clock) {
        this.clock = clock;
    }

    Path create(Path file, byte @Nullable [] content) throws IOException {
        return create(file, content, content == null ? CREATED_SUFFIX : BACKUP_SUFFIX);
    }

    /** A backup that only the undo of an adoption uses. */
    Path createForAdoption(Path file, byte[] content) throws IOException {
        return create(file, content, ADOPTED_SUFFIX);
    }

    private Path create(Path file, byte @Nullable [] content, String suffix) throws IOException {
        Path target = AtomicFile.resolveLinks(file);
        String name = target.getFileName() + suffix + DATE.format(clock.instant());
        Path backup = target.resolveSibling(name);
        for (int number = 2; Files.exists(backup); number++) {
            backup = target.resolveSibling(name + "-" + number);
        }
        AtomicFile.replace(backup, null, content == null ? new byte[0] : content);
        return backup;
    }

    /** The backups of a file, the newest first. */
    List<Backup> listFor(Path file) throws IOException {
        Path target = AtomicFile.resolveLinks(file);
        Path folder = Objects.requireNonNull(target.getParent(), "a file has a folder");
        var found = new ArrayList<Backup>();
        try (var names = Files.newDirectoryStream(folder)) {
            for (Path path : names) {
                String name = String.valueOf(path.getFileName());
                boolean mark = name.startsWith(target.getFileName() + CREATED_SUFFIX);
                if (mark || name.startsWith(target.getFileName() + BACKUP_SUFFIX)) {
                    byte[] bytes = AtomicFile.readIfExists(path, Importer.HOST_FILE_BYTES_MAX);
                    String text = bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
                    found.add(new Backup(path, mark ? null : text));
                }
            }
        }
        found.sort(Comparator.comparing((Backup backup) -> timestamp(backup.file())).reversed());
        return found;
    }

    private static String timestamp(Path backup) {
        String name = String.valueOf(backup.getFileName());
        return name.replaceFirst(".*\\.patchbay-(backup|created)-", "");
    }
}
