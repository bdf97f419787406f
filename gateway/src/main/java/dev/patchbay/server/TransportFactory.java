package dev.patchbay.server;

import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.mcp.ProtocolVersion;

import java.io.IOException;
import java.time.Duration;

/** Opens the transport to a server: starts its process, or prepares requests to its URL. */
public interface TransportFactory {
    /** An open transport. Closing its channel must end what was opened, including the process. */
    interface TransportConnection {
        Channel channel();

        /**
         * Why the transport ended, with exit code and last output, without secrets. Empty while it
         * is open.
         */
        String closeReason();

        /** Returns a text of the server with the secrets hidden that it was given. */
        default String maskSecrets(String text) {
            return text;
        }

        /** Ends what was opened without giving it time to end by itself. Does not wait. */
        default void abort(String why) {
            channel().close();
        }

        /** Waits until the transport has ended; returns false on a timeout. */
        default boolean awaitEnd(Duration patience) throws InterruptedException {
            return true;
        }

        /** How long the server has not read what is being sent. */
        default Duration stalledFor() {
            return Duration.ZERO;
        }

        /** The delay that the server requested when it refused; bounded. */
        default Duration retryAfter() {
            return Duration.ZERO;
        }

        /** Whether the server is using the processor, if that can be determined. */
        default boolean isUsingCpu() {
            return false;
        }

        /**
         * The name of the program that may download the server before it starts it; empty if there
         * is none.
         */
        default String packageRunner() {
            return "";
        }

        /** A number that changes while what was opened is at work, as far as can be seen. */
        default long measureWork() {
            return 0;
        }

        /**
         * Whether silence, or an end before the first answer, may mean that the server does not
         * know the question. A process may take it so; over a network both have many causes.
         */
        default boolean treatsSilenceAsLegacy() {
            return true;
        }

        /** The stray output of the server so far. */
        default StrayOutput strayOutput() {
            return StrayOutput.NONE;
        }

        /** Called with the negotiated version. */
        default void onVersionNegotiated(ProtocolVersion version) {}
    }

    TransportConnection open(ServerSpec spec) throws IOException;
}
