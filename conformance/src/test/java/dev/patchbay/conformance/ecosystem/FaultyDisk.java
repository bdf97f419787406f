package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A small disk mounted at a folder, visible only to programs started through it. It can fail in the
 * ways that disks fail.
 */
final class FaultyDisk implements AutoCloseable {
    private static final int CHUNK_BYTES = 4096;
    private static final int CHUNKS_MAX = 10_000;
    private static final boolean IS_ROOT = "root".equals(System.getProperty("user.name"));

    /** An ordinary user may mount in a user namespace of its own. */
    private static final List<String> UNSHARE_COMMAND =
            IS_ROOT ? List.of("unshare", "-m") : List.of("unshare", "-r", "-m");

    private static final boolean CAN_MOUNT = canMount();

    /** How a disk fails. */
    enum Fault {
        FULL("No space left on device"),
        READ_ONLY("Read-only file system"),
        /** Files are limited in size; works on machines that cannot mount. */
        FILE_SIZE_LIMIT("File too large");

        private final String systemMessage;

        Fault(String reported) {
            this.systemMessage = reported;
        }

        /** The error message of the operating system. */
        String systemMessage() {
            return systemMessage;
        }

        private boolean needsMount() {
            return this != FILE_SIZE_LIMIT;
        }
    }

    private final Path mountPoint;
    private final Process mountHolder;
    private boolean isFileSizeLimited;

    /** A disk on which there is room. */
    FaultyDisk(Path at) throws IOException {
        this.mountPoint = Files.createDirectories(at);
        var command = new ArrayList<String>();
        if (CAN_MOUNT) {
            command.addAll(UNSHARE_COMMAND);
            String mount =
                    "mount -t tmpfs -o size=1m,mode=755 disk \"$1\" && echo ready && exec cat";
            command.addAll(List.of("/bin/sh", "-c", mount, "disk", at.toString()));
        } else {
            command.addAll(List.of("/bin/sh", "-c", "echo ready && exec cat"));
        }
        mountHolder = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader output = mountHolder.inputReader();
        assertThat(output.readLine()).isEqualTo("ready");
    }

    private static boolean canMount() {
        var command = new ArrayList<>(UNSHARE_COMMAND);
        command.addAll(List.of("mount", "-t", "tmpfs", "disk", "/tmp"));
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getInputStream().readAllBytes();
            return process.waitFor() == 0;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** The faults that are possible on this machine. */
    static List<Fault> faults() {
        return CAN_MOUNT ? List.of(Fault.values()) : List.of(Fault.FILE_SIZE_LIMIT);
    }

    /** The faults that can begin and end while a program runs; none if mounting is impossible. */
    static List<Fault> mountFaults() {
        return faults().stream().filter(Fault::needsMount).toList();
    }

    /** Wraps a command so that it sees this disk. */
    List<String> wrapCommand(List<String> command) {
        var words = new ArrayList<String>();
        if (CAN_MOUNT) {
            words.addAll(List.of("nsenter", "-t", "" + mountHolder.pid(), "-m"));
            if (!IS_ROOT) {
                words.addAll(List.of("-U", "--preserve-credentials"));
            }
        }
        String limit = isFileSizeLimited ? "ulimit -f 1 && " : "";
        words.addAll(List.of("/bin/sh", "-c", limit + "cd \"$0\" && exec \"$@\""));
        words.add(String.valueOf(mountPoint.getParent()));
        words.addAll(command);
        return words;
    }

    /** The path of the disk for programs that do not run on it. */
    Path mountedPath() {
        return CAN_MOUNT
                ? Path.of("/proc/" + mountHolder.pid() + "/root" + mountPoint)
                : mountPoint;
    }

    void fail(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case FULL -> fill();
            case READ_ONLY -> remount("ro");
            case FILE_SIZE_LIMIT -> isFileSizeLimited = true;
        }
    }

    /** Makes the disk work again. */
    void repair() throws IOException, InterruptedException {
        isFileSizeLimited = false;
        if (CAN_MOUNT) {
            remount("rw");
            Files.deleteIfExists(fillerFile());
        }
    }

    private Path fillerFile() {
        return mountedPath().resolve("filling");
    }

    private void fill() throws IOException {
        var options = List.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try (var channel =
                FileChannel.open(fillerFile(), options.toArray(StandardOpenOption[]::new))) {
            for (int i = 0; i < CHUNKS_MAX; i++) {
                channel.write(ByteBuffer.allocate(CHUNK_BYTES));
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(Fault.FULL.systemMessage());
            return;
        }
        throw new AssertionError("It never gets full");
    }

    private void remount(String how) throws IOException, InterruptedException {
        var command = wrapCommand(List.of("mount", "-o", "remount," + how, mountPoint.toString()));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    @Override
    public void close() {
        mountHolder.destroyForcibly();
    }
}
