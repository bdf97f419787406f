package dev.patchbay.config;

import dev.patchbay.catalog.CatalogView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The gateway's own settings.
 *
 * @param stateDir the folder for cached lists, sign-ins and the history; null for the default
 * @param selfTools whether the gateway offers tools about itself
 * @param invokeTool whether the gateway offers a tool that calls any other tool by name
 * @param views the named views of the catalog, which clients can choose
 */
public record PatchbaySettings(
        Names names,
        Http http,
        @Nullable String stateDir,
        boolean selfTools,
        boolean invokeTool,
        Limits limits,
        LogLevel logLevel,
        Daemon daemon,
        History history,
        Telemetry telemetry,
        List<CatalogView> views) {
    public static final PatchbaySettings DEFAULTS =
            new PatchbaySettings(
                    Names.AUTO,
                    Http.DEFAULTS,
                    null,
                    false,
                    false,
                    Limits.DEFAULTS,
                    LogLevel.INFO,
                    Daemon.DEFAULTS,
                    History.DEFAULTS,
                    Telemetry.NONE,
                    List.of());

    public PatchbaySettings withNames(Names other) {
        return new PatchbaySettings(
                other,
                http,
                stateDir,
                selfTools,
                invokeTool,
                limits,
                logLevel,
                daemon,
                history,
                telemetry,
                views);
    }

    public PatchbaySettings withViews(List<CatalogView> others) {
        return new PatchbaySettings(
                names,
                http,
                stateDir,
                selfTools,
                invokeTool,
                limits,
                logLevel,
                daemon,
                history,
                telemetry,
                others);
    }

    /** The view of this name; empty if there is none. */
    public Optional<CatalogView> view(String name) {
        return views.stream().filter(it -> it.name().equals(name)).findFirst();
    }

    /** The style of advertised tool names. */
    public enum Names {
        AUTO,
        DOTTED,
        SAFE,
        BARE
    }

    /** How HTTP clients authenticate. */
    public enum Auth {
        TOKEN,
        NONE,
        OAUTH
    }

    /** The minimum level of log messages. */
    public enum LogLevel {
        ERROR,
        WARNING,
        INFO,
        DEBUG,
        TRACE
    }

    /**
     * Settings of the HTTP endpoint.
     *
     * @param allowedHosts host names that requests may use besides the machine's own
     * @param allowedOrigins web origins that may send requests
     * @param oauth how clients get access tokens; null if nothing is configured
     * @param serverCard the URL of the endpoint that the server card names; null for no card
     */
    public record Http(
            ListenAddress listen,
            Auth auth,
            List<String> allowedHosts,
            List<String> allowedOrigins,
            @Nullable OAuthSettings oauth,
            @Nullable String serverCard) {
        public static final Http DEFAULTS =
                new Http(ListenAddress.DEFAULT, Auth.TOKEN, List.of(), List.of(), null, null);

        /** Whether other machines could connect without a token, which is not allowed. */
        public boolean isUnprotectedOnNetwork() {
            return auth == Auth.NONE && !listen.isLoopback();
        }

        /** The authorization servers whose tokens are accepted. */
        public List<TokenIssuer> issuers() {
            return oauth == null ? List.of() : oauth.issuers();
        }

        public Http withListen(ListenAddress other) {
            return new Http(other, auth, allowedHosts, allowedOrigins, oauth, serverCard);
        }
    }

    /**
     * Settings of the background gateway that {@code patchbay stdio} attaches to.
     *
     * @param isEnabled whether it is used
     * @param idleExit when it ends after its last client has left
     */
    public record Daemon(boolean isEnabled, Duration idleExit) {
        public static final Daemon DEFAULTS = new Daemon(false, Duration.ofMinutes(10));
    }

    /** What the history keeps of the arguments of a call. */
    public enum HistoryArguments {
        NONE,
        REDACTED,
        FULL
    }

    /**
     * Settings of the history of calls.
     *
     * @param isEnabled whether calls are recorded
     * @param bytesMax the size of all of its files
     */
    public record History(boolean isEnabled, HistoryArguments arguments, long bytesMax) {
        public static final History DEFAULTS =
                new History(true, HistoryArguments.REDACTED, 100_000_000);
    }

    /**
     * Where traces, metrics and logs are sent.
     *
     * @param otlp the URL of a receiver of OTLP over HTTP; null for what the environment says
     * @param traceLink the URL of a trace, with {@code {traceId}} for its id; null for none
     */
    public record Telemetry(@Nullable String otlp, @Nullable String traceLink) {
        public static final Telemetry NONE = new Telemetry(null, null);

        /** What stands for the id in the URL of a trace. */
        public static final String TRACE_ID = "{traceId}";

        private static final List<String> ENDPOINT_VARIABLES =
                List.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
                        "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
                        "OTEL_EXPORTER_OTLP_LOGS_ENDPOINT");

        /** Whether these settings or the standard environment variables name a receiver. */
        public boolean isRequested(Map<String, String> variables) {
            if (variables.getOrDefault("OTEL_SDK_DISABLED", "").equalsIgnoreCase("true")) {
                return false;
            }
            for (String variable : ENDPOINT_VARIABLES) {
                if (!variables.getOrDefault(variable, "").isEmpty()) {
                    return true;
                }
            }
            return otlp != null;
        }
    }

    /** Limits of memory and time. None of them can be disabled. */
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
