package dev.patchbay.daemon;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;
import dev.patchbay.text.LoggedFailure;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The daemon: accepts the relays of one user on a socket, until it is stopped or has had no client
 * for a while.
 */
public final class DaemonServer implements AutoCloseable {
    private static final int BACKLOG = 256;

    /** How long clients may stay at a daemon that makes room for another one. */
    private static final Duration DRAIN_MAX = Duration.ofMinutes(10);

    /** How long the last answers may take when the daemon ends. */
    private static final Duration STOP_MAX = Duration.ofSeconds(12);

    private final DaemonFiles files;
    private final BuildInfo build;
    private final GatewayProvider gateways;
    private final Ticker ticker;
    private final UserPrincipal user;
    private final FileChannel lockFile;
    private final FileLock daemonLock;
    private final ServerSocketChannel listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<AttachedClient> clients = new LinkedHashSet<>();
    private int commandCount;
    private State state = State.SERVING;

    /** When the daemon ends unless a client attaches, or when a draining one ends at the latest. */
    private long deadline;

    private @Nullable BackgroundLoop acceptLoop;

    /** What the daemon does with new clients. */
    private enum State {
        SERVING,
        DRAINING,
        STOPPING
    }

    private DaemonServer(
            DaemonFiles files, BuildInfo build, GatewayProvider gateways, Binding binding) {
        this.files = files;
        this.build = build;
        this.gateways = gateways;
        this.ticker = Ticker.system();
        this.user = binding.user;
        this.lockFile = binding.lockFile;
        this.daemonLock = binding.daemonLock;
        this.listener = binding.listener;
        this.deadline = ticker.deadlineAfter(binding.idleExit);
    }

    /** The right to be the user's daemon, and the socket. */
    private record Binding(
            UserPrincipal user,
            FileChannel lockFile,
            FileLock daemonLock,
            ServerSocketChannel listener,
            Duration idleExit) {}

    /**
     * Begins to listen.
     *
     * @param idleExit how long to wait for the first client
     * @return null if there is a daemon already
     */
    public static @Nullable DaemonServer open(
            DaemonFiles files, BuildInfo build, GatewayProvider gateways, Duration idleExit)
            throws IOException {
        files.create();
        UserPrincipal user = files.requirePrivate();
        FileChannel lockFile = PrivateFile.open(files.daemonLock());
        FileLock daemonLock = lockFile.tryLock();
        if (daemonLock == null) {
            lockFile.close();
            return null;
        }
        // A daemon that was killed leaves its socket behind.
        Files.deleteIfExists(files.socket());
        ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        listener.bind(UnixDomainSocketAddress.of(files.socket()), BACKLOG);
        var binding = new Binding(user, lockFile, daemonLock, listener, idleExit);
        var server = new DaemonServer(files, build, gateways, binding);
        server.acceptLoop = BackgroundLoop.start("accept", server::accept);
        return server;
    }

    /** Serves until the daemon is to end. */
    public void run() throws InterruptedException {
        lock.lock();
        try {
            while (!isOver()) {
                if (state == State.SERVING && !isUnused()) {
                    changed.await();
                } else {
                    ticker.awaitNanos(changed, deadline - ticker.nanoTime());
                }
            }
            state = State.STOPPING;
        } finally {
            lock.unlock();
        }
    }

    private boolean isOver() {
        boolean isLate = ticker.nanoTime() - deadline >= 0;
        return switch (state) {
            case SERVING -> isUnused() && isLate;
            case DRAINING -> isUnused() || isLate;
            case STOPPING -> true;
        };
    }

    private boolean accept() {
        try {
            SocketChannel channel = listener.accept();
            Thread.ofPlatform().daemon().name("client").start(() -> serve(channel));
            return true;
        } catch (ClosedChannelException _) {
            return false;
        } catch (IOException e) {
            log().log(DEBUG, "A connection could not be accepted", new LoggedFailure(e));
            return true;
        }
    }

    private void serve(SocketChannel channel) {
        try (channel;
                DaemonSocket socket = DaemonSocket.of(channel, user)) {
            var line = socket.readLine();
            DaemonRequest request = line == null ? null : DaemonRequest.parse(line);
            switch (request) {
                case DaemonRequest.Attach attach -> attach(attach, socket);
                case DaemonRequest.Run run -> run(run, socket);
                case DaemonRequest.Status _ ->
                        socket.writeLine(new DaemonReply.Done(status()).toJson());
                case DaemonRequest.Stop _ -> {
                    socket.writeLine(new DaemonReply.Done(status()).toJson());
                    stop();
                }
                case DaemonRequest.Drain _ -> {
                    drain();
                    socket.writeLine(new DaemonReply.Done(status()).toJson());
                }
                case null -> refuse(socket, DaemonReply.Reason.UNKNOWN_REQUEST, "unknown request");
            }
        } catch (IOException e) {
            log().log(DEBUG, "A connection ended", new LoggedFailure(e));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(DaemonRequest.Run request, DaemonSocket socket) throws IOException {
        try (GatewayProvider.CommandLease gateway =
                request.build().equals(build) ? gateways.find(request.client()) : null) {
            if (gateway == null) {
                refuse(socket, DaemonReply.Reason.NO_GATEWAY, "no gateway for this command");
            } else if (!beginCommand()) {
                refuse(socket, DaemonReply.Reason.ENDING, "the daemon is ending");
            } else {
                try {
                    new RemoteCommand(request, socket).run(gateway);
                } finally {
                    endCommand(gateway.idleExit());
                }
            }
        }
    }

    private boolean beginCommand() {
        lock.lock();
        try {
            if (state == State.SERVING) {
                commandCount++;
            }
            return state == State.SERVING;
        } finally {
            lock.unlock();
        }
    }

    private void endCommand(Duration idleExit) {
        lock.lock();
        try {
            commandCount--;
            onClientLeft(idleExit);
        } finally {
            lock.unlock();
        }
    }

    private static void refuse(DaemonSocket socket, DaemonReply.Reason reason, String message)
            throws IOException {
        socket.writeLine(new DaemonReply.Refused(reason, message, 1, List.of()).toJson());
    }

    private void attach(DaemonRequest.Attach request, DaemonSocket socket)
            throws IOException, InterruptedException {
        if (request.isNew() && request.build().replaces(build)) {
            log().log(INFO, "Makes room for build {0}", request.build().id());
            drain();
        }
        if (!isServing()) {
            refuse(socket, DaemonReply.Reason.ENDING, "the daemon is ending");
            return;
        }
        switch (gateways.open(request)) {
            case GatewayProvider.Opened.Refused(DaemonReply.Refused reply) ->
                    socket.writeLine(reply.toJson());
            case GatewayProvider.Opened.Ready(GatewayProvider.Lease lease) -> {
                try (lease) {
                    serve(new AttachedClient(request, socket, lease));
                }
            }
        }
    }

    private void serve(AttachedClient client) throws IOException, InterruptedException {
        if (!add(client)) {
            client.refuse();
            return;
        }
        try {
            client.serve();
        } finally {
            remove(client);
        }
    }

    private boolean add(AttachedClient client) {
        lock.lock();
        try {
            return state == State.SERVING && clients.add(client);
        } finally {
            lock.unlock();
        }
    }

    private void remove(AttachedClient client) {
        lock.lock();
        try {
            clients.remove(client);
            onClientLeft(client.idleExit());
        } finally {
            lock.unlock();
        }
    }

    private void onClientLeft(Duration idleExit) {
        if (state == State.SERVING) {
            deadline = ticker.deadlineAfter(idleExit);
        }
        changed.signalAll();
    }

    private boolean isUnused() {
        return clients.isEmpty() && commandCount == 0;
    }

    private boolean isServing() {
        lock.lock();
        try {
            return state == State.SERVING;
        } finally {
            lock.unlock();
        }
    }

    /** Accepts no more clients, and asks those that are attached to move to another daemon. */
    public void drain() {
        List<AttachedClient> attached;
        lock.lock();
        try {
            if (state != State.SERVING) {
                return;
            }
            state = State.DRAINING;
            deadline = ticker.deadlineAfter(DRAIN_MAX);
            attached = List.copyOf(clients);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        release();
        attached.forEach(AttachedClient::askToMove);
    }

    /** Ends the daemon. Requests in progress are still answered within their grace period. */
    public void stop() {
        beginStop().forEach(AttachedClient::announceStop);
    }

    /** Accepts no more clients; those that are attached. */
    private List<AttachedClient> beginStop() {
        lock.lock();
        try {
            state = State.STOPPING;
            changed.signalAll();
            return List.copyOf(clients);
        } finally {
            lock.unlock();
        }
    }

    /** Lets another daemon take the place of this one. */
    private synchronized void release() {
        if (!daemonLock.isValid()) {
            return;
        }
        try {
            Files.deleteIfExists(files.socket());
            listener.close();
            lockFile.close(); // releases the lock
        } catch (IOException e) {
            log().log(DEBUG, "The socket could not be removed", new LoggedFailure(e));
        }
        BackgroundLoop loop = acceptLoop;
        if (loop != null) {
            loop.close();
        }
    }

    private Json status() {
        List<AttachedClient> attached;
        State present;
        lock.lock();
        try {
            attached = List.copyOf(clients);
            present = state;
        } finally {
            lock.unlock();
        }
        return DaemonStatus.toJson(
                build,
                present == State.SERVING ? "serving" : "ending",
                files,
                attached,
                gateways.describe());
    }

    /** Disconnects all clients and closes all gateways. */
    @Override
    public void close() {
        List<AttachedClient> attached = beginStop();
        release();
        attached.forEach(AttachedClient::end);
        awaitClients();
        gateways.close();
    }

    private void awaitClients() {
        long left = STOP_MAX.toNanos();
        lock.lock();
        try {
            while (!clients.isEmpty() && left > 0) {
                left = ticker.awaitNanos(changed, left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(DaemonServer.class.getName());
    }
}
