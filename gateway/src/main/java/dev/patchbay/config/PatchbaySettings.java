package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;

/**
 * The gateway's own settings.
 *
 * @param stateDir where it keeps what it learned; null for the user's usual place
 * @param selfTools whether it offers tools about itself
 */
public record PatchbaySettings(
        Names names,
        Http http,
        @Nullable String stateDir,
        boolean selfTools,
        Limits limits,
        LogLevel logLevel) {
    public static final PatchbaySettings DEFAULTS =
            new PatchbaySettings(
                    Names.AUTO, Http.DEFAULTS, null, false, Limits.DEFAULTS, LogLevel.INFO);

    public PatchbaySettings withNames(Names other) {
        return new PatchbaySettings(other, http, stateDir, selfTools, limits, logLevel);
    }

    /** How the names of tools are advertised. */
    public enum Names {
        AUTO,
        DOTTED,
        SAFE,
        BARE
    }

    /** What a client on HTTP must show. */
    public enum Auth {
        TOKEN,
        NONE
    }

    /** How much is logged. */
    public enum LogLevel {
        ERROR,
        WARNING,
        INFO,
        DEBUG,
        TRACE
    }

    /**
     * How HTTP is served.
     *
     * @param allowedHosts names besides the machine's own under which it may be called
     * @param allowedOrigins web pages that may call it
     */
    public record Http(
            ListenAddress listen,
            Auth auth,
            List<String> allowedHosts,
            List<String> allowedOrigins) {
        public static final Http DEFAULTS =
                new Http(ListenAddress.DEFAULT, Auth.TOKEN, List.of(), List.of());

        public Http {
            allowedHosts = List.copyOf(allowedHosts);
            allowedOrigins = List.copyOf(allowedOrigins);
        }

        /** Whether anybody on the network could call without a token; that is not allowed. */
        public boolean isUnprotectedOnNetwork() {
            return auth == Auth.NONE && !listen.isLoopback();
        }

        public Http withListen(ListenAddress other) {
            return new Http(other, auth, allowedHosts, allowedOrigins);
        }
    }

    /** What bounds memory and time. None of them can be switched off. */
    public record Limits(
            int clientMessageBytesMax,
            int serverMessageBytesMax,
            int clientLineBytesMax,
            int pagesMax,
            int toolsPerServerMax,
            int requestsPerClientMax,
            int requestsPerServerMax,
            int stderrBytesMax,
            Duration shutdownGrace) {
        public static final Limits DEFAULTS =
                new Limits(
                        10 << 20,
                        16 << 20,
                        8 << 20,
                        1_000,
                        2_000,
                        1_024,
                        256,
                        64 << 10,
                        Duration.ofSeconds(10));
    }
}
