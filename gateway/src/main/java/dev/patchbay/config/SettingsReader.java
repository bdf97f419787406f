package dev.patchbay.config;

import dev.patchbay.config.Fields.Range;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Settings.Auth;
import dev.patchbay.config.Settings.Http;
import dev.patchbay.config.Settings.Limits;
import dev.patchbay.config.Settings.LogLevel;
import dev.patchbay.config.Settings.Names;

import java.time.Duration;
import java.util.Map;

/** Reads the gateway's own settings. */
final class SettingsReader {
    private static final Range MESSAGE_BYTES = new Range(64 << 10, 1 << 30);
    private static final Range STDERR_BYTES = new Range(1 << 10, 16 << 20);
    private static final Range COUNT = new Range(1, 100_000);
    private static final Range GRACE_MS = new Range(100, 300_000);

    private SettingsReader() {}

    static Settings read(Fields fields) {
        var settings =
                new Settings(
                        fields.word("names", Names.class, Settings.DEFAULTS.names()),
                        http(fields.fields("http")),
                        fields.text("stateDir"),
                        fields.flag("selfTools", Settings.DEFAULTS.selfTools()),
                        limits(fields.fields("limits")),
                        fields.word("logLevel", LogLevel.class, Settings.DEFAULTS.logLevel()));
        fields.warnOfUnknown(Map.of("log", "logLevel", "listen", "http.listen"));
        return settings;
    }

    private static Http http(Fields fields) {
        var http =
                new Http(
                        listen(fields),
                        fields.word("auth", Auth.class, Http.DEFAULTS.auth()),
                        fields.texts("allowedHosts"),
                        fields.texts("allowedOrigins"));
        if (http.isOpenToTheNetwork()) {
            fields.add(
                    Kind.CONFLICT,
                    fields.spot("auth"),
                    "Without a token only programs of this machine may connect, but "
                            + http.listen()
                            + " is open to others",
                    "Write \"auth\": \"token\", or listen on 127.0.0.1");
        }
        fields.warnOfUnknown(Map.of("port", "listen", "host", "listen", "address", "listen"));
        return http;
    }

    private static Listen listen(Fields fields) {
        String text = fields.text("listen");
        if (text == null) {
            return Listen.DEFAULT;
        }
        return Listen.parse(text)
                .orElseGet(
                        () -> {
                            fields.add(
                                    Kind.WRONG_VALUE,
                                    fields.spot("listen"),
                                    "This is no HOST:PORT",
                                    "Write a host and a port, as in \"127.0.0.1:8808\"");
                            return Listen.DEFAULT;
                        });
    }

    private static Limits limits(Fields fields) {
        var other = Limits.DEFAULTS;
        var limits =
                new Limits(
                        limit(
                                fields,
                                "clientMessageBytesMax",
                                MESSAGE_BYTES,
                                other.clientMessageBytesMax()),
                        limit(
                                fields,
                                "serverMessageBytesMax",
                                MESSAGE_BYTES,
                                other.serverMessageBytesMax()),
                        limit(
                                fields,
                                "clientLineBytesMax",
                                MESSAGE_BYTES,
                                other.clientLineBytesMax()),
                        limit(fields, "pagesMax", COUNT, other.pagesMax()),
                        limit(fields, "toolsPerServerMax", COUNT, other.toolsPerServerMax()),
                        limit(fields, "requestsPerClientMax", COUNT, other.requestsPerClientMax()),
                        limit(fields, "requestsPerServerMax", COUNT, other.requestsPerServerMax()),
                        limit(fields, "stderrBytesMax", STDERR_BYTES, other.stderrBytesMax()),
                        Duration.ofMillis(
                                limit(
                                        fields,
                                        "shutdownGraceMs",
                                        GRACE_MS,
                                        (int) other.shutdownGrace().toMillis())));
        fields.warnOfUnknown(Map.of());
        return limits;
    }

    private static int limit(Fields fields, String key, Range range, int other) {
        return (int) fields.number(key, range, other);
    }
}
