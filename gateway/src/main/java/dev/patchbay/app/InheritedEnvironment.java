package dev.patchbay.app;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.patchbay.stdio.ProcessCommand;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The environment that this process was started with, as Linux shows it to every process of the
 * same user in {@code /proc/PID/environ}. Servers are such processes, and variables may hold
 * secrets.
 */
final class InheritedEnvironment {
    private static final Path STAT = Path.of("/proc/self/stat");
    private static final Path MEMORY = Path.of("/proc/self/mem");
    private static final int BYTES_MAX = 8 << 20;

    /** The fields of the first and the last address, counted from the one after the name. */
    private static final int START_FIELD = 47;

    private static final int END_FIELD = 48;

    private InheritedEnvironment() {}

    /**
     * Overwrites the variables in memory that servers do not get. The JVM has copied them before:
     * {@link System#getenv} returns what it did. Does nothing where the system has no such files.
     */
    static void hide() {
        try {
            if (Files.isWritable(MEMORY)) {
                String stat = Files.readString(STAT, StandardCharsets.ISO_8859_1);
                String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
                long start = Long.parseUnsignedLong(fields[START_FIELD]);
                long length = Long.parseUnsignedLong(fields[END_FIELD]) - start;
                if (start > 0 && length > 0 && length <= BYTES_MAX) {
                    overwrite(start, new byte[(int) length]);
                }
            }
        } catch (IOException | RuntimeException _) {
            // A kernel that does not allow it: the environment stays as readable as it was.
        }
    }

    private static void overwrite(long start, byte[] bytes) throws IOException {
        try (FileChannel memory = FileChannel.open(MEMORY, READ, WRITE)) {
            if (memory.read(ByteBuffer.wrap(bytes), start) != bytes.length) {
                return;
            }
            clearPrivateVariables(bytes);
            int _ = memory.write(ByteBuffer.wrap(bytes), start);
        }
    }

    /** Sets the bytes of all variables to zero that are not for every server. */
    static void clearPrivateVariables(byte[] environment) {
        int from = 0;
        while (from < environment.length) {
            int end = from;
            int nameEnd = -1;
            while (end < environment.length && environment[end] != 0) {
                if (nameEnd < 0 && environment[end] == '=') {
                    nameEnd = end;
                }
                end++;
            }
            int nameLength = (nameEnd < 0 ? end : nameEnd) - from;
            var name = new String(environment, from, nameLength, StandardCharsets.ISO_8859_1);
            if (!isPublic(name)) {
                Arrays.fill(environment, from, end, (byte) 0);
            }
            from = end + 1;
        }
    }

    /** Also the variables of the dynamic linker stay: the JVM needs them to start processes. */
    private static boolean isPublic(String name) {
        return ProcessCommand.isInherited(name) || name.startsWith("LD_") || name.equals("TZ");
    }
}
