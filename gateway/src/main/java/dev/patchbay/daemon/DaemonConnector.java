package dev.patchbay.daemon;

import dev.patchbay.daemon.DaemonReply.Accepted;
import dev.patchbay.daemon.DaemonReply.Reason;
import dev.patchbay.daemon.DaemonReply.Refused;
import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Connects to the user's daemon, and starts it if it does not run. */
public final class DaemonConnector {
    /** A daemon may end, or make room, between two attempts. */
    private static final int ATTEMPTS_MAX = 5;

    /** How long another process may take to start the daemon. */
    private static final Duration START_WAIT_MAX = Duration.ofSeconds(40);

    /** Between two looks at a lock that another process holds. */
    private static final Duration LOCK_INTERVAL = Duration.ofMillis(5);

    private final DaemonFiles files;
    private final DaemonLauncher launcher;

    public DaemonConnector(DaemonFiles files, DaemonLauncher launcher) {
        this.files = files;
        this.launcher = launcher;
    }

    /** A connection that carries messages from now on. */
    public record Attached(DaemonSocket socket, Accepted reply) {
        int lineBytesMax() {
            return reply.lineBytesMax();
        }
    }

    /** The daemon has refused the request, and would do so again. */
    public static final class RefusedException extends IOException {
        private final transient Refused refusal;

        RefusedException(Refused refusal) {
            super(refusal.message());
            this.refusal = refusal;
        }

        public Refused refusal() {
            return refusal;
        }
    }

    /**
     * Attaches to the daemon.
     *
     * @throws RefusedException if the daemon refuses
     * @throws IOException if no daemon runs and none can be started
     */
    public Attached attach(DaemonRequest.Attach request) throws IOException {
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            DaemonSocket socket = DaemonSocket.connect(files);
            if (socket == null) {
                socket = start();
            }
            DaemonReply reply = exchange(socket, request);
            if (reply instanceof Accepted accepted) {
                return new Attached(socket, accepted);
            }
            socket.close();
            if (reply instanceof Refused refused && refused.reason() != Reason.ENDING) {
                throw new RefusedException(refused);
            }
        }
        throw new IOException("the daemon ended again and again");
    }

    /** Starts the daemon if it does not run. */
    public void ensureRunning() throws IOException {
        DaemonSocket socket = DaemonSocket.connect(files);
        (socket == null ? start() : socket).close();
    }

    /** Sends a request to the daemon; null if none runs. */
    public @Nullable DaemonReply ask(DaemonRequest request) throws IOException {
        try (DaemonSocket socket = DaemonSocket.connect(files)) {
            return socket == null ? null : exchange(socket, request);
        }
    }

    /** Runs a command in the daemon, if that has a gateway for it. */
    public CommandOutcome run(DaemonRequest.Run request, CommandEvent.Receiver receiver)
            throws IOException {
        try (DaemonSocket socket = DaemonSocket.connect(files)) {
            if (socket == null || !(exchange(socket, request) instanceof DaemonReply.Running)) {
                return new CommandOutcome.NotRun();
            }
            return receive(socket, receiver);
        }
    }

    private static CommandOutcome receive(DaemonSocket socket, CommandEvent.Receiver receiver) {
        boolean hasOutput = false;
        try {
            Json line = socket.readLine();
            while (line != null) {
                switch (CommandEvent.parse(line)) {
                    case CommandEvent.Output(String text) -> receiver.output(text);
                    case CommandEvent.Message(String text) -> receiver.message(text);
                    case CommandEvent.Ended(int exitCode) -> {
                        return new CommandOutcome.Ended(exitCode);
                    }
                    case null -> {}
                }
                hasOutput = true;
                line = socket.readLine();
            }
        } catch (IOException _) {
            // The daemon has ended.
        }
        return new CommandOutcome.Lost(hasOutput);
    }

    private static @Nullable DaemonReply exchange(DaemonSocket socket, DaemonRequest request)
            throws IOException {
        try {
            socket.writeLine(request.toJson());
            Json line = socket.readLine();
            return line == null ? null : DaemonReply.parse(line);
        } catch (IOException _) {
            return null; // the daemon has just ended
        }
    }

    /** Starts a daemon, or waits for the one that another process starts. */
    private DaemonSocket start() throws IOException {
        files.create();
        files.requirePrivate();
        try (FileChannel lockFile = PrivateFile.open(files.startLock());
                FileLock _ = lock(lockFile)) {
            DaemonSocket socket = DaemonSocket.connect(files);
            if (socket == null) {
                launcher.start(files);
                socket = DaemonSocket.connect(files);
            }
            if (socket == null) {
                throw new IOException("the daemon ended at once; see " + files.log());
            }
            return socket;
        }
    }

    private static FileLock lock(FileChannel file) throws IOException {
        long deadline = System.nanoTime() + START_WAIT_MAX.toNanos();
        while (true) {
            FileLock lock = tryLock(file);
            if (lock != null) {
                return lock;
            }
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("another process has not started the daemon in time");
            }
            // The system tells nobody that a lock is free.
            LockSupport.parkNanos(LOCK_INTERVAL.toNanos());
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException _) {
            return null; // another thread of this process holds it
        }
    }
}
