package dev.patchbay.stdio;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.text.LoggedFailure;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A small shell that knows the process groups of the gateway's children. It signals them on
 * request, and kills them all when its input ends, which happens however the gateway ends. It is
 * started before or with the first child, and restarted if it is killed.
 *
 * <p>A target is written in the syntax of {@code kill}: {@code -12} is process group 12, {@code 12}
 * a single process.
 */
public final class ProcessReaper implements AutoCloseable {
    private static final int COMMANDS_MAX = 10_000;
    private static final long RESTART_DELAY_MS = 200;

    /** Wakes the waiting thread. The shell ignores an empty line. */
    private static final String WAKE_COMMAND = "";

    private static final String SCRIPT =
            """
            trap '' INT TERM HUP QUIT
            all=' '
            while read -r order target; do
              case $order in
                +) case $all in *" $target "*) ;; *) all="$all$target " ;; esac ;;
                -) case $all in *" $target "*)
                     all="${all%%" $target "*} ${all#*" $target "}" ;; esac ;;
                t) kill -15 $target ;;
                k) kill -9 $target ;;
              esac
            done
            for target in $all; do kill -9 $target; done
            """;

    private final LinkedBlockingQueue<String> commands = new LinkedBlockingQueue<>(COMMANDS_MAX);
    private final Set<String> targets = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Used by the loop only. */
    private boolean isFailureLogged;

    /** Starts the shell before the first child. */
    public void start() {
        if (started.compareAndSet(false, true)) {
            var _ = BackgroundLoop.start("process-reaper", this::runShell);
        }
    }

    /** Kills the target when the gateway has ended. */
    void register(String target) {
        targets.add(target);
        send("+ " + target);
    }

    /** The target has ended; its number may be reused. */
    void unregister(String target) {
        targets.remove(target);
        send("- " + target);
    }

    void terminate(String target) {
        send("t " + target);
    }

    void kill(String target) {
        send("k " + target);
    }

    /** Ends the reaper, which kills all registered targets. */
    @Override
    public void close() {
        closed.countDown();
        boolean _ = commands.offer(WAKE_COMMAND);
    }

    private void send(String order) {
        if (!commands.offer(order)) {
            log().log(WARNING, "The janitor does not keep up; an order is lost");
        }
        start();
    }

    /** Runs one shell to its end; returns whether another one must follow. */
    private boolean runShell() throws InterruptedException {
        try {
            forwardCommands(startShell());
        } catch (IOException e) {
            if (!isFailureLogged) {
                log().log(
                                WARNING,
                                "No process reaper: children may outlive the gateway",
                                new LoggedFailure(e));
                isFailureLogged = true;
            }
        }
        // The delay limits how often a shell that is killed repeatedly is started.
        return !closed.await(RESTART_DELAY_MS, TimeUnit.MILLISECONDS);
    }

    private static Process startShell() throws IOException {
        var command = new ArrayList<String>(ProcessGroup.commandPrefix());
        command.addAll(List.of("/bin/sh", "-c", SCRIPT, "patchbay-janitor"));
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.directory(new File("/"));
        builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        return FileDescriptorBudget.startProcess(builder);
    }

    /** Forwards commands until the shell ends. */
    private void forwardCommands(Process shell) throws IOException, InterruptedException {
        Thread.ofVirtual().start(() -> awaitEnd(shell));
        try (OutputStream out = shell.getOutputStream()) {
            for (String target : targets) {
                write(out, "+ " + target);
            }
            while (true) {
                String order = commands.take();
                if (closed.getCount() == 0) {
                    return;
                }
                if (!shell.isAlive()) {
                    boolean _ = commands.offer(order);
                    return;
                }
                write(out, order);
            }
        }
    }

    private void awaitEnd(Process shell) {
        try {
            shell.waitFor();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        boolean _ = commands.offer(WAKE_COMMAND);
    }

    private static void write(OutputStream out, String order) throws IOException {
        out.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ProcessReaper.class.getName());
    }
}
