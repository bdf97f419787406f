package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Connection;

import org.jspecify.annotations.Nullable;

import java.io.OutputStream;
import java.time.Duration;
import java.util.List;

/** Opens the gateways that clients attach to. Clients with the same configuration share one. */
public interface GatewayProvider extends AutoCloseable {
    /** The result of {@link #open}. */
    sealed interface Opened {
        /** A gateway, which is in use until the lease is closed. */
        record Ready(Lease lease) implements Opened {}

        record Refused(DaemonReply.Refused reply) implements Opened {}
    }

    /** The use of a gateway by one client. */
    interface Lease extends AutoCloseable {
        /** Connects the client. The connection must be run, drained and closed. */
        ClientConnection connect(Channel channel);

        Limits limits();

        /** Messages for the user of the client. */
        List<String> messages();

        /** How long the daemon stays when this client was the last one. */
        Duration idleExit();

        @Override
        void close();
    }

    /** The connection of a client to a gateway. */
    interface ClientConnection extends AutoCloseable {
        Connection connection();

        /** Ends the session of the client. */
        @Override
        void close();
    }

    /**
     * A command of the command line.
     *
     * @param out where its results go, as UTF-8; flushed after each line
     * @param messages where its messages go
     */
    record Command(DaemonRequest.Run request, OutputStream out, OutputStream messages) {}

    /** The use of an open gateway by a command. */
    interface CommandLease extends AutoCloseable {
        /** Runs the command and returns its exit code. An interrupt ends it. */
        int run(Command command);

        /** How long the daemon stays when no client is left. */
        Duration idleExit();

        @Override
        void close();
    }

    /**
     * The limits of a client.
     *
     * @param lineBytesMax the longest line that is read
     * @param frameBytesMax the longest message that is sent
     * @param shutdownGrace how long requests may take after the client has ended its input
     */
    record Limits(int lineBytesMax, int frameBytesMax, Duration shutdownGrace) {}

    /** Opens a gateway for a client, or finds the one that fits. */
    Opened open(DaemonRequest.Attach request);

    /** Finds the open gateway for a command; null if there is none, and then none is opened. */
    @Nullable CommandLease find(DaemonRequest.ClientStart client);

    /** The open gateways and their servers, as an array. */
    Json describe();

    @Override
    void close();
}
