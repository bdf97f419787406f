package dev.patchbay.config.read;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.ListenAddress;
import dev.patchbay.config.OAuthSettings;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.PatchbaySettings.Auth;
import dev.patchbay.config.PatchbaySettings.Daemon;
import dev.patchbay.config.PatchbaySettings.History;
import dev.patchbay.config.PatchbaySettings.HistoryArguments;
import dev.patchbay.config.PatchbaySettings.Http;
import dev.patchbay.config.PatchbaySettings.Limits;
import dev.patchbay.config.PatchbaySettings.LogLevel;
import dev.patchbay.config.PatchbaySettings.Names;
import dev.patchbay.config.PatchbaySettings.Telemetry;
import dev.patchbay.config.TokenIssuer;
import dev.patchbay.config.read.ObjectReader.Range;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Reads the gateway's own settings. */
final class SettingsReader {
    private static final Range MESSAGE_BYTES = new Range(64 << 10, 1 << 30);
    private static final Range STDERR_BYTES = new Range(1 << 10, 16 << 20);
    private static final Range COUNT = new Range(1, 100_000);
    private static final Range IDLE_EXIT_MS = new Range(100, 86_400_000);
    private static final Range HISTORY_BYTES = new Range(1_000_000, 10_000_000_000L);
    private static final Range GRACE_MS = new Range(100, 300_000);

    private SettingsReader() {}

    static PatchbaySettings read(ObjectReader fields) {
        var settings =
                new PatchbaySettings(
                        fields.readConstant(
                                "names", Names.class, PatchbaySettings.DEFAULTS.names()),
                        readHttp(fields.readObject("http")),
                        fields.readString("stateDir"),
                        fields.readBoolean("selfTools", PatchbaySettings.DEFAULTS.selfTools()),
                        fields.readBoolean("invokeTool", PatchbaySettings.DEFAULTS.invokeTool()),
                        readLimits(fields.readObject("limits")),
                        fields.readConstant(
                                "logLevel", LogLevel.class, PatchbaySettings.DEFAULTS.logLevel()),
                        readDaemon(fields.readObject("daemon")),
                        readHistory(fields.readObject("history")),
                        readTelemetry(fields.readObject("telemetry")),
                        readViews(fields.readObject("views")));
        fields.warnOfUnknownKeys(Map.of("log", "logLevel", "listen", "http.listen"));
        return settings;
    }

    private static Daemon readDaemon(ObjectReader fields) {
        var daemon =
                new Daemon(
                        fields.readBoolean("enabled", Daemon.DEFAULTS.isEnabled()),
                        Duration.ofMillis(
                                fields.readInteger(
                                        "idleExitMs",
                                        IDLE_EXIT_MS,
                                        Daemon.DEFAULTS.idleExit().toMillis())));
        fields.warnOfUnknownKeys(Map.of());
        return daemon;
    }

    private static History readHistory(ObjectReader fields) {
        var history =
                new History(
                        fields.readBoolean("enabled", History.DEFAULTS.isEnabled()),
                        fields.readConstant(
                                "arguments", HistoryArguments.class, History.DEFAULTS.arguments()),
                        fields.readInteger("bytesMax", HISTORY_BYTES, History.DEFAULTS.bytesMax()));
        fields.warnOfUnknownKeys(Map.of());
        return history;
    }

    private static Telemetry readTelemetry(ObjectReader fields) {
        var telemetry = new Telemetry(readUrl(fields, "otlp"), readUrl(fields, "traceLink"));
        String link = telemetry.traceLink();
        if (link != null && !link.contains(Telemetry.TRACE_ID)) {
            fields.addFinding(
                    Kind.WRONG_VALUE,
                    fields.locationOf("traceLink"),
                    "The URL of a trace must contain " + Telemetry.TRACE_ID,
                    "Write where the id belongs, such as"
                            + " \"https://traces.example/trace/{traceId}\"");
        }
        fields.warnOfUnknownKeys(Map.of("endpoint", "otlp", "url", "otlp"));
        return telemetry;
    }

    private static @Nullable String readUrl(ObjectReader fields, String key) {
        String text = fields.readString(key);
        if (text == null || text.startsWith("http://") || text.startsWith("https://")) {
            return text;
        }
        fields.addFinding(
                Kind.WRONG_VALUE,
                fields.locationOf(key),
                "Not a URL with http or https",
                "Write a URL, such as \"http://127.0.0.1:4318\"");
        return null;
    }

    /** A start without views does not load what reads them. */
    private static List<CatalogView> readViews(ObjectReader views) {
        return views.members().isEmpty() ? List.of() : ViewReader.readAll(views);
    }

    private static Http readHttp(ObjectReader fields) {
        var http =
                new Http(
                        readListen(fields),
                        fields.readConstant("auth", Auth.class, Http.DEFAULTS.auth()),
                        fields.readStrings("allowedHosts"),
                        fields.readStrings("allowedOrigins"),
                        readOAuth(fields),
                        readServerCard(fields));
        checkOAuth(fields, http);
        if (http.isUnprotectedOnNetwork()) {
            fields.addFinding(
                    Kind.CONFLICT,
                    fields.locationOf("auth"),
                    "Without a token only programs on this machine may connect, but "
                            + http.listen()
                            + " is reachable from other machines",
                    "Write \"auth\": \"token\", or listen on 127.0.0.1");
        }
        if (http.auth() == Auth.NONE && !http.allowedHosts().isEmpty()) {
            fields.addFinding(
                    Kind.DOUBTFUL,
                    fields.locationOf("allowedHosts"),
                    "Requests under other host names are accepted without a token",
                    "Write \"auth\": \"token\", or remove allowedHosts");
        }
        fields.warnOfUnknownKeys(Map.of("port", "listen", "host", "listen", "address", "listen"));
        return http;
    }

    private static @Nullable OAuthSettings readOAuth(ObjectReader fields) {
        String publicUrl = readPublicUrl(fields);
        List<TokenIssuer> issuers = readIssuers(fields);
        return publicUrl == null && issuers.isEmpty()
                ? null
                : new OAuthSettings(publicUrl, issuers);
    }

    private static @Nullable String readPublicUrl(ObjectReader fields) {
        String text = fields.readString("publicUrl");
        if (text != null && TransportReader.parseUrl(text) == null) {
            fields.addFinding(
                    Kind.WRONG_VALUE,
                    fields.locationOf("publicUrl"),
                    "Not a valid URL",
                    "Write the URL of the gateway without /mcp, such as"
                            + " \"https://mcp.example.com\"");
            return null;
        }
        return text;
    }

    /** A start without issuers does not load what reads them. */
    private static List<TokenIssuer> readIssuers(ObjectReader fields) {
        return fields.readNode("oauth") == null ? List.of() : TokenIssuerReader.readAll(fields);
    }

    private static void checkOAuth(ObjectReader fields, Http http) {
        if (http.auth() == Auth.OAUTH && http.issuers().isEmpty()) {
            fields.addFinding(
                    Kind.MISSING,
                    fields.locationOf("auth"),
                    "No authorization server is configured",
                    "Write \"oauth\": [{\"issuer\": \"https://…\"}]");
        } else if (http.auth() != Auth.OAUTH && !http.issuers().isEmpty()) {
            fields.addFinding(
                    Kind.DOUBTFUL,
                    fields.locationOf("oauth"),
                    "The authorization servers are not used",
                    "Write \"auth\": \"oauth\", or remove oauth");
        }
    }

    private static @Nullable String readServerCard(ObjectReader fields) {
        String url = fields.readString("serverCard");
        if (url != null && !isWebUrl(url)) {
            fields.addFinding(
                    Kind.WRONG_VALUE,
                    fields.locationOf("serverCard"),
                    "Not the URL of an endpoint",
                    "Write the URL that clients use, such as \"https://mcp.example.com/mcp\"");
            return null;
        }
        return url;
    }

    private static boolean isWebUrl(String text) {
        try {
            var url = new URI(text);
            String scheme = url.getScheme();
            return url.getHost() != null
                    && ("https".equalsIgnoreCase(scheme) || "http".equalsIgnoreCase(scheme))
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null;
        } catch (URISyntaxException _) {
            return false;
        }
    }

    private static ListenAddress readListen(ObjectReader fields) {
        String text = fields.readString("listen");
        if (text == null) {
            return ListenAddress.DEFAULT;
        }
        return ListenAddress.parse(text)
                .orElseGet(
                        () -> {
                            fields.addFinding(
                                    Kind.WRONG_VALUE,
                                    fields.locationOf("listen"),
                                    "Not a valid HOST:PORT",
                                    "Write a host and a port, such as \"127.0.0.1:8808\"");
                            return ListenAddress.DEFAULT;
                        });
    }

    private static Limits readLimits(ObjectReader fields) {
        var other = Limits.DEFAULTS;
        int graceMs = (int) other.shutdownGrace().toMillis();
        var limits =
                new Limits(
                        readLimit(
                                fields,
                                "clientMessageBytesMax",
                                MESSAGE_BYTES,
                                other.clientMessageBytesMax()),
                        readLimit(
                                fields,
                                "serverMessageBytesMax",
                                MESSAGE_BYTES,
                                other.serverMessageBytesMax()),
                        readLimit(
                                fields,
                                "clientLineBytesMax",
                                MESSAGE_BYTES,
                                other.clientLineBytesMax()),
                        readLimit(fields, "pagesMax", COUNT, other.pagesMax()),
                        readLimit(fields, "toolsPerServerMax", COUNT, other.toolsPerServerMax()),
                        readLimit(
                                fields,
                                "requestsPerClientMax",
                                COUNT,
                                other.requestsPerClientMax()),
                        readLimit(
                                fields,
                                "requestsPerServerMax",
                                COUNT,
                                other.requestsPerServerMax()),
                        readLimit(fields, "stderrBytesMax", STDERR_BYTES, other.stderrBytesMax()),
                        Duration.ofMillis(readLimit(fields, "shutdownGraceMs", GRACE_MS, graceMs)));
        fields.warnOfUnknownKeys(Map.of());
        return limits;
    }

    private static int readLimit(ObjectReader fields, String key, Range range, int other) {
        return (int) fields.readInteger(key, range, other);
    }
}
