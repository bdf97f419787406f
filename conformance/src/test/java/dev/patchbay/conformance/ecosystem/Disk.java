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
 * A small disk at a folder, which only what is started through it sees there. It can take away what
 * it takes, in each way that disks do.
 */
final class Disk implements AutoCloseable {
    private static final int PIECE_BYTES = 4096;
    private static final int PIECES_MAX = 10_000;
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));

    /** Whoever may not mount a disk may where he is root to himself alone. */
    private static final List<String> APART =
            ROOT ? List.of("unshare", "-m") : List.of("unshare", "-r", "-m");

    private static final boolean MOUNTS = canMount();

    /** How a disk fails. */
    enum Fault {
        FULL("No space left on device"),
        READ_ONLY("Read-only file system"),
        /** No file may be long: what a machine without disks to mount can do as well. */
        SHORT_FILES("File too large");

        private final String told;

        Fault(String told) {
            this.told = told;
        }

        /** What the system calls it. */
        String told() {
            return told;
        }

        private boolean isMounted() {
            return this != SHORT_FILES;
        }
    }

    private final Path at;
    private final Process holder;
    private boolean isShort;

    /** A disk on which there is room. */
    Disk(Path at) throws IOException {
        this.at = Files.createDirectories(at);
        var command = new ArrayList<String>();
        if (MOUNTS) {
            command.addAll(APART);
            String mount =
                    "mount -t tmpfs -o size=1m,mode=777 disk \"$1\" && echo ready && exec cat";
            command.addAll(List.of("/bin/sh", "-c", mount, "disk", at.toString()));
        } else {
            command.addAll(List.of("/bin/sh", "-c", "echo ready && exec cat"));
        }
        holder = new ProcessBuilder(command).redirectErrorStream(true).start();
        BufferedReader said = holder.inputReader();
        assertThat(said.readLine()).isEqualTo("ready");
    }

    private static boolean canMount() {
        var command = new ArrayList<>(APART);
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

    /** The ways to fail that can be had on this machine. */
    static List<Fault> faults() {
        return MOUNTS ? List.of(Fault.values()) : List.of(Fault.SHORT_FILES);
    }

    /** Those that come and go while a program runs; none where no disk can be mounted. */
    static List<Fault> faultsOfMounted() {
        return faults().stream().filter(Fault::isMounted).toList();
    }

    /** The command that runs another with this disk. */
    List<String> around(List<String> command) {
        var words = new ArrayList<String>();
        if (MOUNTS) {
            words.addAll(List.of("nsenter", "-t", "" + holder.pid(), "-m"));
            if (!ROOT) {
                words.addAll(List.of("-U", "--preserve-credentials"));
            }
        }
        String limit = isShort ? "ulimit -f 1 && " : "";
        words.addAll(List.of("/bin/sh", "-c", limit + "cd \"$0\" && exec \"$@\""));
        words.add(String.valueOf(at.getParent()));
        words.addAll(command);
        return words;
    }

    /** What is on the disk, for one who is started without it. */
    Path inside() {
        return MOUNTS ? Path.of("/proc/" + holder.pid() + "/root" + at) : at;
    }

    void fail(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case FULL -> fill();
            case READ_ONLY -> remount("ro");
            case SHORT_FILES -> isShort = true;
        }
    }

    /** Takes everything again. */
    void heal() throws IOException, InterruptedException {
        isShort = false;
        if (MOUNTS) {
            remount("rw");
            Files.deleteIfExists(filling());
        }
    }

    private Path filling() {
        return inside().resolve("filling");
    }

    private void fill() throws IOException {
        var options = List.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try (var channel =
                FileChannel.open(filling(), options.toArray(StandardOpenOption[]::new))) {
            for (int i = 0; i < PIECES_MAX; i++) {
                channel.write(ByteBuffer.allocate(PIECE_BYTES));
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining(Fault.FULL.told());
            return;
        }
        throw new AssertionError("It never gets full");
    }

    private void remount(String how) throws IOException, InterruptedException {
        var command = around(List.of("mount", "-o", "remount," + how, at.toString()));
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).isZero();
    }

    @Override
    public void close() {
        holder.destroyForcibly();
    }
}
