package dev.patchbay.sandbox;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder that only its owner can read, and that exists as long as a process. */
final class TemporaryFolder implements AutoCloseable {
    private final Path path;

    private TemporaryFolder(Path path) {
        this.path = path;
    }

    static TemporaryFolder create() throws IOException {
        return new TemporaryFolder(Files.createTempDirectory("patchbay-sandbox"));
    }

    Path path() {
        return path;
    }

    /** Deletes the folder and what is in it. Links are deleted, not followed. */
    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new Deletion());
        } catch (IOException _) {
            // The system deletes its temporary files some time.
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException failure)
                throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
        }
    }
}
