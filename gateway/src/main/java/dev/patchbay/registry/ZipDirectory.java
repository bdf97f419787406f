package dev.patchbay.registry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The table of contents of a zip file. It is read here because the JDK does not tell which entries
 * are symbolic links or programs. A signature may follow the end of the zip file.
 */
final class ZipDirectory {
    /** An entry as the table of contents describes it. */
    record Entry(
            String name, int method, long crc, long compressedSize, long size, Attributes place) {
        boolean isFolder() {
            return name.endsWith("/");
        }
    }

    /**
     * Where the entry is, and what it is.
     *
     * @param offset the position of the entry in the file
     * @param mode the permissions and the type of Unix; 0 if they are not known
     */
    record Attributes(long offset, int mode) {
        private static final int TYPE_MASK = 0xF000;
        private static final int FOLDER = 0x4000;
        private static final int FILE = 0x8000;
        private static final int EXECUTABLE = 0x40;

        boolean isSpecial() {
            int type = mode & TYPE_MASK;
            return type != 0 && type != FILE && type != FOLDER;
        }

        boolean isExecutable() {
            return (mode & EXECUTABLE) != 0;
        }
    }

    static final int STORED = 0;
    static final int DEFLATED = 8;

    private static final int END_SIGNATURE = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int CENTRAL_SIGNATURE = 0x02014b50;
    private static final int CENTRAL_BYTES = 46;
    private static final int TAIL_BYTES_MAX = 1 << 20;
    private static final int DIRECTORY_BYTES_MAX = 64 << 20;
    private static final int ENCRYPTED_FLAG = 1;
    private static final int UNIX = 3;
    private static final long ZIP64 = 0xFFFFFFFFL;

    private ZipDirectory() {}

    static List<Entry> read(Path file, BundleLimits limits) throws IOException, RegistryException {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer end = findEnd(channel);
            int count = Short.toUnsignedInt(end.getShort(10));
            long size = Integer.toUnsignedLong(end.getInt(12));
            long offset = Integer.toUnsignedLong(end.getInt(16));
            if (count > limits.entriesMax()) {
                throw new RegistryException(
                        "The bundle has more than %,d files".formatted(limits.entriesMax()));
            }
            boolean isOdd = size == ZIP64 || offset == ZIP64 || offset + size > channel.size();
            if (isOdd || size > DIRECTORY_BYTES_MAX) {
                throw new RegistryException("The bundle is not a zip file that can be read");
            }
            return entries(read(channel, offset, (int) size), count);
        }
    }

    /** The last record that says where the table of contents is. */
    private static ByteBuffer findEnd(FileChannel channel) throws IOException, RegistryException {
        int length = (int) Math.min(channel.size(), TAIL_BYTES_MAX);
        ByteBuffer tail = read(channel, channel.size() - length, length);
        for (int at = length - END_BYTES; at >= 0; at--) {
            if (tail.getInt(at) == END_SIGNATURE) {
                return tail.slice(at, END_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            }
        }
        throw new RegistryException("The bundle is not a zip file");
    }

    static ByteBuffer read(FileChannel channel, long offset, int length) throws IOException {
        var buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, offset + buffer.position()) < 0) {
                throw new IOException("The bundle ends too early");
            }
        }
        return buffer.flip();
    }

    private static List<Entry> entries(ByteBuffer table, int count) throws RegistryException {
        var entries = new ArrayList<Entry>();
        var names = new HashSet<String>();
        for (int i = 0; i < count; i++) {
            int at = table.position();
            if (table.remaining() < CENTRAL_BYTES || table.getInt(at) != CENTRAL_SIGNATURE) {
                throw new RegistryException("The table of contents of the bundle is damaged");
            }
            int nameLength = Short.toUnsignedInt(table.getShort(at + 28));
            int moreLength =
                    Short.toUnsignedInt(table.getShort(at + 30))
                            + Short.toUnsignedInt(table.getShort(at + 32));
            if (table.remaining() < CENTRAL_BYTES + nameLength + moreLength) {
                throw new RegistryException("The table of contents of the bundle is damaged");
            }
            byte[] name = new byte[nameLength];
            table.get(at + CENTRAL_BYTES, name);
            Entry entry = entry(table, at, new String(name, StandardCharsets.UTF_8));
            if (!names.add(entry.name())) {
                throw new RegistryException("The bundle has two files of the same name");
            }
            entries.add(entry);
            table.position(at + CENTRAL_BYTES + nameLength + moreLength);
        }
        return entries;
    }

    private static Entry entry(ByteBuffer table, int at, String name) throws RegistryException {
        if ((table.getShort(at + 8) & ENCRYPTED_FLAG) != 0) {
            throw new RegistryException("The bundle is encrypted");
        }
        boolean isUnix = table.get(at + 5) == UNIX;
        int mode = isUnix ? table.getInt(at + 38) >>> 16 : 0;
        return new Entry(
                name,
                Short.toUnsignedInt(table.getShort(at + 10)),
                Integer.toUnsignedLong(table.getInt(at + 16)),
                Integer.toUnsignedLong(table.getInt(at + 20)),
                Integer.toUnsignedLong(table.getInt(at + 24)),
                new Attributes(Integer.toUnsignedLong(table.getInt(at + 42)), mode));
    }
}
