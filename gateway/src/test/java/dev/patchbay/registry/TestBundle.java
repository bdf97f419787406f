package dev.patchbay.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Writes zip files byte by byte, so that they can be wrong. */
final class TestBundle {
    static final int FILE_MODE = 0x81A4;
    static final int PROGRAM_MODE = 0x81ED;
    static final int LINK_MODE = 0xA1FF;

    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final ByteArrayOutputStream table = new ByteArrayOutputStream();
    private int count;

    TestBundle add(String name, String text) {
        return add(name, text.getBytes(UTF_8), FILE_MODE, -1);
    }

    /**
     * Adds a file.
     *
     * @param size the size that the table of contents gives; -1 for the right one
     */
    TestBundle add(String name, byte[] bytes, int mode, int size) {
        var crc = new CRC32();
        crc.update(bytes);
        byte[] packed = deflate(bytes);
        byte[] nameBytes = name.getBytes(UTF_8);
        int offset = content.size();
        byte[] head = new byte[30];
        view(head)
                .putInt(0, 0x04034b50)
                .putShort(8, (short) 8)
                .putShort(26, (short) nameBytes.length);
        content.writeBytes(head);
        content.writeBytes(nameBytes);
        content.writeBytes(packed);
        byte[] row = new byte[46];
        ByteBuffer entry = view(row);
        entry.putInt(0, 0x02014b50).put(5, (byte) 3).putShort(10, (short) 8);
        entry.putInt(16, (int) crc.getValue()).putInt(20, packed.length);
        entry.putInt(24, size < 0 ? bytes.length : size);
        entry.putShort(28, (short) nameBytes.length).putInt(38, mode << 16).putInt(42, offset);
        table.writeBytes(row);
        table.writeBytes(nameBytes);
        count++;
        return this;
    }

    private static byte[] deflate(byte[] bytes) {
        try (var deflater = new Deflater(Deflater.BEST_COMPRESSION, true)) {
            deflater.setInput(bytes);
            deflater.finish();
            var packed = new ByteArrayOutputStream();
            byte[] chunk = new byte[8192];
            while (!deflater.finished()) {
                packed.write(chunk, 0, deflater.deflate(chunk));
            }
            return packed.toByteArray();
        }
    }

    private static ByteBuffer view(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    Path write(Path file) throws IOException {
        return write(file, count);
    }

    /** Writes the file with this number of entries in its last record. */
    Path write(Path file, int entries) throws IOException {
        byte[] last = new byte[22];
        ByteBuffer end = view(last);
        end.putInt(0, 0x06054b50).putShort(8, (short) entries).putShort(10, (short) entries);
        end.putInt(12, table.size()).putInt(16, content.size());
        var all = new ByteArrayOutputStream();
        all.writeBytes(content.toByteArray());
        all.writeBytes(table.toByteArray());
        all.writeBytes(last);
        return Files.write(file, all.toByteArray());
    }
}
