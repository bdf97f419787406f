package dev.patchbay.registry;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The file of a bundle. It is checked before anything is unpacked, and again while it is unpacked.
 * A bundle is unpacked as a whole or not at all.
 */
public final class BundleArchive {
    private static final String MANIFEST = "manifest.json";
    private static final int MANIFEST_BYTES_MAX = 1 << 20;
    private static final int NAME_CHARS_MAX = 1_000;
    private static final int LOCAL_BYTES = 30;
    private static final int LOCAL_SIGNATURE = 0x04034b50;
    private static final int CHUNK_BYTES = 64 * 1024;

    private final Path file;
    private final String sha256;
    private final List<ZipDirectory.Entry> entries;
    private final long unpackedBytesMax;

    private BundleArchive(
            Path file, String sha256, List<ZipDirectory.Entry> entries, long unpackedBytesMax) {
        this.file = file;
        this.sha256 = sha256;
        this.entries = List.copyOf(entries);
        this.unpackedBytesMax = unpackedBytesMax;
    }

    /**
     * Opens a bundle and checks its digest and the names and sizes of all files in it.
     *
     * @param expected the digest that the file must have, in lower case; null for any
     */
    public static BundleArchive open(Path file, @Nullable String expected, BundleLimits limits)
            throws IOException, RegistryException {
        long size = Files.size(file);
        if (size > limits.fileBytesMax()) {
            throw new RegistryException(
                    "The bundle is larger than %,d bytes".formatted(limits.fileBytesMax()));
        }
        String sha256 = digest(file);
        if (expected != null && !sha256.equals(expected)) {
            throw new RegistryException(
                    "The bundle has the wrong digest: %s instead of %s. It was changed or damaged"
                            .formatted(sha256, expected));
        }
        List<ZipDirectory.Entry> entries = ZipDirectory.read(file, limits);
        long most = limits.unpackedBytesMax(size);
        long total = 0;
        for (ZipDirectory.Entry entry : entries) {
            check(entry);
            total += entry.size();
        }
        if (total > most) {
            throw tooLarge(most);
        }
        return new BundleArchive(file, sha256, entries, most);
    }

    private static RegistryException tooLarge(long most) {
        return new RegistryException(
                "The files of the bundle are larger than %,d bytes unpacked; it may be a zip bomb"
                        .formatted(most));
    }

    private static void check(ZipDirectory.Entry entry) throws RegistryException {
        String name = entry.name();
        boolean isOutside = name.startsWith("/") || name.startsWith("\\") || name.contains("\\");
        boolean hasDrive = name.length() > 1 && name.charAt(1) == ':';
        boolean isOdd =
                name.isEmpty()
                        || name.length() > NAME_CHARS_MAX
                        || name.chars().anyMatch(c -> c < ' ' || c == 0x7F || c == 0xFFFD);
        for (String step : name.split("/", -1)) {
            isOutside |= step.equals("..") || step.equals(".");
        }
        if (isOutside || hasDrive || isOdd || name.contains("//")) {
            throw new RegistryException(
                    "The bundle has a file with a forbidden path: " + DisplayText.quote(name));
        }
        if (entry.place().isSpecial()) {
            throw new RegistryException(
                    "The bundle has a link or a special file: " + DisplayText.quote(name));
        }
        if (entry.method() != ZipDirectory.STORED && entry.method() != ZipDirectory.DEFLATED) {
            throw new RegistryException("The bundle uses a compression that is not supported");
        }
    }

    private static String digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance("SHA-256");
            new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** The digest of the file, in hexadecimal digits. */
    public String sha256() {
        return sha256;
    }

    /** The text of the manifest. */
    public byte[] manifest() throws IOException, RegistryException {
        for (ZipDirectory.Entry entry : entries) {
            if (entry.name().equals(MANIFEST)) {
                if (entry.size() > MANIFEST_BYTES_MAX) {
                    throw new RegistryException("The manifest of the bundle is too large");
                }
                var bytes = new ByteArrayOutputStream();
                try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    copy(channel, entry, bytes, MANIFEST_BYTES_MAX);
                }
                return bytes.toByteArray();
            }
        }
        throw new RegistryException("The bundle has no manifest.json");
    }

    /** The folder that this bundle is unpacked to. */
    public Path folder(Path bundles) {
        return bundles.resolve(sha256);
    }

    /**
     * Unpacks the bundle into its folder below the given one. If that folder exists already, it is
     * kept: its name is the digest of its content.
     */
    public Path unpack(Path bundles) throws IOException, RegistryException {
        Path target = folder(bundles);
        if (Files.isDirectory(target)) {
            return target;
        }
        PrivateFile.createFolder(bundles);
        Path temporary = Files.createTempDirectory(bundles, "unpacking-");
        boolean isComplete = false;
        try {
            unpackInto(temporary);
            Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
            isComplete = true;
        } catch (FileAlreadyExistsException e) {
            throw new RegistryException("The bundle has two files of the same name");
        } finally {
            if (!isComplete) {
                delete(temporary);
            }
        }
        return target;
    }

    private void unpackInto(Path root) throws IOException, RegistryException {
        long left = unpackedBytesMax;
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            for (ZipDirectory.Entry entry : entries) {
                Path path = root.resolve(entry.name()).normalize();
                if (!path.startsWith(root)) {
                    throw new RegistryException("The bundle has a file with a forbidden path");
                }
                if (entry.isFolder()) {
                    Files.createDirectories(path);
                    continue;
                }
                Path parent = path.getParent();
                Files.createDirectories(parent == null ? root : parent);
                try (OutputStream out =
                        Files.newOutputStream(
                                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    left -= copy(channel, entry, out, left);
                }
                setMode(path, entry.place().isExecutable());
            }
        }
    }

    private static void setMode(Path path, boolean isExecutable) throws IOException {
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.setPosixFilePermissions(
                    path,
                    PosixFilePermissions.fromString(isExecutable ? "rwx------" : "rw-------"));
        }
    }

    /** Copies the content of an entry and returns its size. */
    private static long copy(
            FileChannel channel, ZipDirectory.Entry entry, OutputStream out, long most)
            throws IOException, RegistryException {
        long offset = entry.place().offset();
        ByteBuffer head = ZipDirectory.read(channel, offset, LOCAL_BYTES);
        if (head.getInt(0) != LOCAL_SIGNATURE) {
            throw damaged(entry);
        }
        long from =
                offset
                        + LOCAL_BYTES
                        + Short.toUnsignedInt(head.getShort(26))
                        + Short.toUnsignedInt(head.getShort(28));
        var checked = new CheckedOutput(out, Math.min(most, entry.size()), entry);
        if (entry.method() == ZipDirectory.STORED) {
            copyStored(channel, from, entry, checked);
        } else {
            inflate(channel, from, entry, checked);
        }
        checked.finish();
        return entry.size();
    }

    private static void copyStored(
            FileChannel channel, long from, ZipDirectory.Entry entry, CheckedOutput out)
            throws IOException, RegistryException {
        for (long at = 0; at < entry.compressedSize(); at += CHUNK_BYTES) {
            int length = (int) Math.min(CHUNK_BYTES, entry.compressedSize() - at);
            out.write(ZipDirectory.read(channel, from + at, length).array(), length);
        }
    }

    private static void inflate(
            FileChannel channel, long from, ZipDirectory.Entry entry, CheckedOutput out)
            throws IOException, RegistryException {
        byte[] buffer = new byte[CHUNK_BYTES];
        long at = 0;
        try (var inflater = new Inflater(true)) {
            while (!inflater.finished()) {
                if (inflater.needsInput()) {
                    int length = (int) Math.min(CHUNK_BYTES, entry.compressedSize() - at);
                    if (length <= 0) {
                        throw damaged(entry);
                    }
                    inflater.setInput(ZipDirectory.read(channel, from + at, length).array());
                    at += length;
                }
                int count = inflater.inflate(buffer);
                if (count == 0 && inflater.needsDictionary()) {
                    throw damaged(entry);
                }
                out.write(buffer, count);
            }
        } catch (DataFormatException e) {
            throw damaged(entry);
        }
    }

    private static RegistryException damaged(ZipDirectory.Entry entry) {
        return new RegistryException("The bundle is damaged at " + DisplayText.quote(entry.name()));
    }

    /** Writes at most as many bytes as the entry declares, and checks what was written. */
    private static final class CheckedOutput {
        private final OutputStream out;
        private final long most;
        private final ZipDirectory.Entry entry;
        private final CRC32 crc = new CRC32();
        private long written;

        CheckedOutput(OutputStream out, long most, ZipDirectory.Entry entry) {
            this.out = out;
            this.most = most;
            this.entry = entry;
        }

        void write(byte[] bytes, int length) throws IOException, RegistryException {
            written += length;
            if (written > most) {
                throw new RegistryException(
                        "%s is larger than the bundle says; it may be a zip bomb"
                                .formatted(DisplayText.quote(entry.name())));
            }
            crc.update(bytes, 0, length);
            out.write(bytes, 0, length);
        }

        void finish() throws RegistryException {
            if (written != entry.size() || crc.getValue() != entry.crc()) {
                throw damaged(entry);
            }
        }
    }

    /** Deletes a folder and everything in it. */
    public static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
