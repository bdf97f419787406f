package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All that is configured of one server. */
public record ServerSpec(ServerId id, Transport transport, Options options) {
    /**
     * How the server is reached. As text it is a word only: arguments, variables, headers and
     * addresses may hold secrets, and texts end up in logs.
     */
    public sealed interface Transport {
        /** A child process that speaks on its standard streams. */
        record Stdio(
                String command, List<String> args, Map<String, String> env, @Nullable String cwd)
                implements Transport {
            public Stdio {
                args = List.copyOf(args);
                env = ordered(env);
            }

            @Override
            public String toString() {
                return word();
            }
        }

        /** Streamable HTTP, of either era. */
        record Http(URI url, Map<String, String> headers) implements Transport {
            public Http {
                headers = ordered(headers);
            }

            @Override
            public String toString() {
                return word();
            }
        }

        /** The old HTTP with server-sent events, of 2024-11-05. */
        record Sse(URI url, Map<String, String> headers) implements Transport {
            public Sse {
                headers = ordered(headers);
            }

            @Override
            public String toString() {
                return word();
            }
        }

        /** The word for it in configuration and output. */
        default String word() {
            return switch (this) {
                case Stdio _ -> "stdio";
                case Http _ -> "http";
                case Sse _ -> "sse";
            };
        }
    }

    /** Which era to speak with the server. */
    public enum EraChoice {
        AUTO,
        LEGACY,
        MODERN
    }

    /** What has a default. */
    public record Options(
            boolean enabled, Limits limits, EraChoice era, String description, List<String> tags) {
        public static final Options DEFAULTS =
                new Options(true, Limits.DEFAULTS, EraChoice.AUTO, "", List.of());

        public Options {
            tags = List.copyOf(tags);
        }

        public Options withEnabled(boolean on) {
            return new Options(on, limits, era, description, tags);
        }
    }

    /** How long to wait for the server, and how often to try to reach it again. */
    public record Limits(Duration connectionTimeout, Duration requestTimeout, int maxRetries) {
        public static final Limits DEFAULTS =
                new Limits(Duration.ofSeconds(10), Duration.ofSeconds(60), 3);

        public Limits {
            requireBetween("connectionTimeoutMs", connectionTimeout.toMillis(), 1_000, 60_000);
            requireBetween("requestTimeoutMs", requestTimeout.toMillis(), 1_000, 300_000);
            requireBetween("maxRetries", maxRetries, 0, 10);
        }
    }

    public boolean enabled() {
        return options.enabled();
    }

    public ServerSpec withEnabled(boolean on) {
        return new ServerSpec(id, transport, options.withEnabled(on));
    }

    private static Map<String, String> ordered(Map<String, String> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    private static void requireBetween(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s is %d; it must be from %d to %d".formatted(name, value, min, max));
        }
    }
}
