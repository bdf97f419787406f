package dev.patchbay.config;

import dev.patchbay.files.PrivateFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Arrays;
import java.util.Objects;

/**
 * Replaces files atomically: a reader sees the old content or the new one, even after a power
 * failure. A symbolic link stays a link, and its target is replaced. Permissions are kept.
 */
public final class AtomicFile {
    private static final int LINKS_MAX = 40;

    private AtomicFile() {}

    /** The content, or null if there is no such file. */
    public static byte @Nullable [] readIfExists(Path file, int bytesMax) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(bytesMax + 1);
            if (bytes.length > bytesMax) {
                throw new FileSystemException(
                        file.toString(), null, "larger than " + bytesMax + " bytes");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            return null;
        } catch (FileSystemException e) {
            throw e;
        } catch (IOException e) {
            // For example, it is a folder: the exception must name the file.
            throw new FileSystemException(file.toString(), null, String.valueOf(e.getMessage()));
        }
    }

    /** Decodes UTF-8; throws on invalid bytes instead of replacing them. */
    public static String decodeUtf8(byte[] bytes) throws IOException {
        return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    }

    /**
     * Replaces the content of a file. If that fails, the old content stays.
     *
     * @param before the content that the new one was derived from; null for no file
     */
    public static void replace(Path file, byte @Nullable [] before, byte[] after)
            throws IOException {
        Path target = resolveLinks(file);
        Path folder = Objects.requireNonNull(target.getParent(), "a file has a folder");
        Files.createDirectories(folder);
        try {
            replace(target, folder, before, after);
        } catch (AccessDeniedException e) {
            throw new AccessDeniedException(folder.toString());
        } catch (IOException e) {
            throw describeWriteFailure(target, e);
        }
        syncDirectory(folder);
    }

    /** The same failure, with the name of the target instead of a temporary file. */
    private static IOException describeWriteFailure(Path target, IOException e) {
        String why = e.getMessage();
        if (e instanceof FileSystemException fault) {
            if (target.toString().equals(fault.getFile())) {
                return fault;
            }
            why = fault.getReason();
        }
        return new FileSystemException(target.toString(), null, "not changed: " + why);
    }

    private static void replace(Path target, Path folder, byte @Nullable [] before, byte[] after)
            throws IOException {
        // Readable by the owner only: such files hold secrets.
        Path temporary = PrivateFile.createTemporary(folder, "." + target.getFileName());
        try {
            write(temporary, after);
            if (before != null) {
                copyPermissions(target, temporary);
            }
            requireUnchanged(target, before);
            PrivateFile.moveTo(target, temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Resolves symbolic links; the file does not have to exist. */
    public static Path resolveLinks(Path file) throws IOException {
        Path at = file.toAbsolutePath();
        for (int i = 0; i < LINKS_MAX; i++) {
            if (!Files.isSymbolicLink(at)) {
                return i == 0 ? at : resolveParent(at);
            }
            at = at.resolveSibling(Files.readSymbolicLink(at));
        }
        throw new FileSystemLoopException(file.toString());
    }

    /** Resolves symbolic links in the parent folder only. */
    private static Path resolveParent(Path file) throws IOException {
        Path folder = file.getParent();
        return folder != null && Files.isDirectory(folder)
                ? folder.toRealPath().resolve(file.getFileName())
                : file;
    }

    private static void write(Path file, byte[] content) throws IOException {
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            PrivateFile.write(channel, content);
            channel.force(true);
        }
    }

    private static void copyPermissions(Path from, Path to) throws IOException {
        var view = Files.getFileAttributeView(from, PosixFileAttributeView.class);
        if (view == null) {
            return;
        }
        PosixFileAttributes old = view.readAttributes();
        var fresh = Files.getFileAttributeView(to, PosixFileAttributeView.class);
        try {
            fresh.setOwner(old.owner());
            fresh.setGroup(old.group());
        } catch (IOException e) {
            // Only root may change the owner; otherwise the file belongs to the current user.
        }
        fresh.setPermissions(old.permissions());
    }

    private static void requireUnchanged(Path file, byte @Nullable [] before) throws IOException {
        boolean same =
                before == null
                        ? !Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                        : Arrays.equals(before, readIfExists(file, Math.max(1, before.length)));
        if (!same) {
            throw new FileSystemException(
                    file.toString(),
                    null,
                    "changed by another program in the meantime; nothing was changed");
        }
    }

    private static void syncDirectory(Path folder) {
        try (var channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Not every system can open a folder; the file itself has been written.
        }
    }
}
