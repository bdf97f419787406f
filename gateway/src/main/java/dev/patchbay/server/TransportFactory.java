package dev.patchbay.server;

import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.mcp.ProtocolVersion;

import java.io.IOException;
import java.time.Duration;

/** Opens the bytes' way to a server: starts its process, or gets ready to post to its URL. */
public interface TransportFactory {
    /** The open way. Closing its channel must end what was opened, the process included. */
    interface TransportConnection {
        Channel channel();

        /**
         * Why the way ended, with exit code and last words where there are any; never a secret.
         * Empty as long as it has not ended, where a call can be lost all the same.
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

        /** Waits until what was opened has ended; false if it has not in time. */
        default boolean awaitEnd(Duration patience) throws InterruptedException {
            return true;
        }

        /** For how long the server has not taken what is being sent to it now. */
        default Duration stalledFor() {
            return Duration.ZERO;
        }

        /** For how long the server asked to be left alone when it refused; bounded. */
        default Duration retryAfter() {
            return Duration.ZERO;
        }

        /** Whether the machine is at work for this server, as far as can be seen. */
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

        /** What the server has written so far where only messages belong. */
        default StrayOutput strayOutput() {
            return StrayOutput.NONE;
        }

        /** Told which version is spoken from now on. */
        default void onVersionNegotiated(ProtocolVersion version) {}
    }

    TransportConnection open(ServerSpec spec) throws IOException;
}
