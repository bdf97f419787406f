package dev.patchbay.app.wiring;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.server.ServerState.Status;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** Shows on a terminal which servers a command waits for, until it is closed. */
final class ProgressLine implements AutoCloseable {
    private static final Duration UPDATE_INTERVAL = Duration.ofMillis(100);

    /** A terminal can replace the line only while it is not wrapped. */
    private static final int CHARS_MAX = 78;

    private final Terminal terminal;
    private final Gateway gateway;
    private final long startNanos = System.nanoTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition closedCondition = lock.newCondition();
    private final @Nullable Thread printer;
    private boolean closed;

    private ProgressLine(Terminal terminal, Gateway gateway) {
        this.terminal = terminal;
        this.gateway = gateway;
        printer =
                terminal.isInteractive()
                        ? Thread.ofVirtual().name("waiting").start(this::printUntilClosed)
                        : null;
    }

    static ProgressLine start(Terminal terminal, Gateway gateway) {
        return new ProgressLine(terminal, gateway);
    }

    private void printUntilClosed() {
        lock.lock();
        try {
            while (!closed) {
                var waited = Duration.ofNanos(System.nanoTime() - startNanos);
                terminal.printProgress(format(gateway.servers(), waited));
                if (closedCondition.await(UPDATE_INTERVAL.toMillis(), MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** The number of servers that are done, and the names of the others. */
    static String format(List<ServerReport> servers, Duration waited) {
        List<ServerReport> asked = servers.stream().filter(ServerReport::enabled).toList();
        List<ServerReport> late = asked.stream().filter(it -> !isDone(it)).toList();
        String names =
                late.stream().map(it -> it.spec().id().value()).collect(Collectors.joining(", "));
        String line =
                "%d of %d servers done, %d s%s"
                        .formatted(
                                asked.size() - late.size(),
                                asked.size(),
                                waited.toSeconds(),
                                late.isEmpty() ? "" : "; waiting for " + names);
        return line.length() <= CHARS_MAX ? line : line.substring(0, CHARS_MAX - 1) + "…";
    }

    private static boolean isDone(ServerReport server) {
        return server.state().status() == Status.ERROR
                || (server.state().status() == Status.CONNECTED
                        && (server.lastDiscoveredAt() != null || server.lastError() != null));
    }

    @Override
    public void close() {
        if (printer == null) {
            return;
        }
        lock.lock();
        try {
            closed = true;
            closedCondition.signal();
            terminal.clearProgress();
        } finally {
            lock.unlock();
        }
    }
}
