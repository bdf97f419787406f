package dev.patchbay.stdio;

import static java.lang.System.Logger.Level.WARNING;

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
 * A small shell beside the gateway that knows the process groups of its children. It signals them
 * when told, and kills them all when its input ends, which happens however the gateway ends. It is
 * started with the first child or ahead of it, and again if somebody ends it.
 *
 * <p>A target is written as {@code kill} takes it: {@code -12} is the group 12, {@code 12} a lone
 * process.
 */
public final class Janitor implements AutoCloseable {
    private static final int ORDERS_MAX = 10_000;
    private static final long RESTART_PAUSE_MS = 200;

    /** Wakes the thread that waits for orders. The shell passes over an empty line. */
    private static final String WAKE = "";

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

    private final LinkedBlockingQueue<String> orders = new LinkedBlockingQueue<>(ORDERS_MAX);
    private final Set<String> watched = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean started = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Starts the shell ahead of the first child. */
    public void begin() {
        if (started.compareAndSet(false, true)) {
            Thread.ofPlatform().daemon().name("janitor").start(this::run);
        }
    }

    /** Kills the target when the gateway is gone. */
    void watch(String target) {
        watched.add(target);
        order("+ " + target);
    }

    /** The target has ended; its number may soon be somebody else's. */
    void forget(String target) {
        watched.remove(target);
        order("- " + target);
    }

    void terminate(String target) {
        order("t " + target);
    }

    void kill(String target) {
        order("k " + target);
    }

    /** Ends the janitor, and with it every target it still watches. */
    @Override
    public void close() {
        closed.countDown();
        boolean _ = orders.offer(WAKE);
    }

    private void order(String order) {
        if (!orders.offer(order)) {
            log().log(WARNING, "The janitor does not keep up; an order is lost");
        }
        begin();
    }

    private void run() {
        boolean told = false;
        try {
            do {
                try {
                    serve(shell());
                } catch (IOException e) {
                    if (!told) {
                        log().log(WARNING, "No janitor: children may outlive the gateway", e);
                        told = true;
                    }
                }
                // Whoever kills it again and again shall not make us start it without a breath.
            } while (!closed.await(RESTART_PAUSE_MS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Process shell() throws IOException {
        var command = new ArrayList<String>(ProcessGroup.prefix());
        command.addAll(List.of("/bin/sh", "-c", SCRIPT, "patchbay-janitor"));
        var builder = new ProcessBuilder(command);
        builder.environment().clear();
        builder.directory(new File("/"));
        builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        return Descriptors.start(builder);
    }

    /** Passes orders on until the shell ends. */
    private void serve(Process shell) throws IOException, InterruptedException {
        Thread.ofVirtual().start(() -> awaitEnd(shell));
        try (OutputStream out = shell.getOutputStream()) {
            for (String target : watched) {
                write(out, "+ " + target);
            }
            while (true) {
                String order = orders.take();
                if (closed.getCount() == 0) {
                    return;
                }
                if (!shell.isAlive()) {
                    boolean _ = orders.offer(order);
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
        boolean _ = orders.offer(WAKE);
    }

    private static void write(OutputStream out, String order) throws IOException {
        out.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(Janitor.class.getName());
    }
}
