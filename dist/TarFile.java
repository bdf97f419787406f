import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a folder as a {@code .tar.gz} file. The same files give the same bytes on every system:
 * the entries are sorted, belong to root, and have the same time and one of two modes.
 */
final class TarFile implements AutoCloseable {
    private static final int BLOCK_BYTES = 512;
    private static final int NAME_BYTES_MAX = 100;

    private final OutputStream out;
    private final long seconds;

    private TarFile(OutputStream out, long seconds) {
        this.out = out;
        this.seconds = seconds;
    }

    /** Writes a folder under its own name. Files in {@code bin} folders can be run. */
    static void write(Path folder, Path file, long seconds) throws IOException {
        Path parent = folder.getParent();
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted().toList();
        }
        try (var tar = new TarFile(gzip(file), seconds)) {
            for (Path each : all) {
                tar.add(each, parent.relativize(each).toString().replace('\\', '/'));
            }
        }
    }

    private static OutputStream gzip(Path file) throws IOException {
        return new GZIPOutputStream(new BufferedOutputStream(Files.newOutputStream(file))) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        };
    }

    private void add(Path file, String name) throws IOException {
        if (Files.isSymbolicLink(file)) {
            String target = Files.readSymbolicLink(file).toString().replace('\\', '/');
            writeHeader(name, '2', 0777, 0, target);
        } else if (Files.isDirectory(file)) {
            writeHeader(name + "/", '5', 0755, 0, "");
        } else {
            byte[] content = Files.readAllBytes(file);
            writeHeader(name, '0', isProgram(file, name) ? 0755 : 0644, content.length, "");
            out.write(content);
            out.write(new byte[padding(content.length)]);
        }
    }

    /** Windows does not know which files can be run. */
    private static boolean isProgram(Path file, String name) {
        return Files.isExecutable(file)
                && (name.contains("/bin/")
                        || name.endsWith("/jspawnhelper")
                        || name.contains(".so")
                        || name.endsWith(".dylib")
                        || name.endsWith("/jexec"));
    }

    private void writeHeader(String path, char type, int mode, long size, String target)
            throws IOException {
        byte[] header = new byte[BLOCK_BYTES];
        String name = path;
        String prefix = "";
        if (name.length() > NAME_BYTES_MAX) {
            int slash = name.indexOf('/', name.length() - NAME_BYTES_MAX - 1);
            prefix = name.substring(0, slash);
            name = name.substring(slash + 1);
        }
        put(header, 0, NAME_BYTES_MAX, name);
        put(header, 100, 8, "%07o".formatted(mode));
        put(header, 108, 8, "%07o".formatted(0));
        put(header, 116, 8, "%07o".formatted(0));
        put(header, 124, 12, "%011o".formatted(size));
        put(header, 136, 12, "%011o".formatted(seconds));
        Arrays.fill(header, 148, 156, (byte) ' ');
        header[156] = (byte) type;
        put(header, 157, NAME_BYTES_MAX, target);
        put(header, 257, 8, "ustar\00000");
        put(header, 329, 8, "%07o".formatted(0));
        put(header, 337, 8, "%07o".formatted(0));
        put(header, 345, 155, prefix);
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        put(header, 148, 8, "%06o\0 ".formatted(sum));
        out.write(header);
    }

    private static void put(byte[] header, int at, int bytesMax, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        if (bytes.length > bytesMax) {
            throw new IOException("Too long for an archive: " + text);
        }
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static int padding(long size) {
        return (int) ((BLOCK_BYTES - size % BLOCK_BYTES) % BLOCK_BYTES);
    }

    @Override
    public void close() throws IOException {
        out.write(new byte[2 * BLOCK_BYTES]);
        out.close();
    }
}
