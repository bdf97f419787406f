package dev.patchbay.server;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The configuration of one server. */
public record ServerSpec(ServerId id, Transport transport, Options options) {
    /**
     * How the server is reached. Its text is only the type: arguments, variables, headers and URLs
     * may hold secrets, and texts are logged.
     */
    public sealed interface Transport {
        /**
         * A child process that speaks on its standard streams.
         *
         * @param sandbox how far the process is confined
         */
        record Stdio(
                String command,
                List<String> args,
                ConfiguredValues env,
                @Nullable String cwd,
                SandboxPolicy sandbox)
                implements Transport {
            public Stdio {
                args = List.copyOf(args);
            }

            /** A program whose variables refer to no secret. */
            public Stdio(
                    String command,
                    List<String> args,
                    Map<String, String> env,
                    @Nullable String cwd) {
                this(command, args, ConfiguredValues.of(env), cwd, SandboxPolicy.none());
            }

            @Override
            public String toString() {
                return typeName();
            }
        }

        /** Streamable HTTP, of either era. */
        record Http(URI url, ConfiguredValues headers, OAuthConfig oauth) implements Transport {
            public Http(URI url, Map<String, String> headers, OAuthConfig oauth) {
                this(url, ConfiguredValues.of(headers), oauth);
            }

            public Http(URI url, Map<String, String> headers) {
                this(url, headers, OAuthConfig.DISCOVER);
            }

            @Override
            public String toString() {
                return typeName();
            }
        }

        /** The old HTTP with server-sent events, of 2024-11-05. */
        record Sse(URI url, ConfiguredValues headers, OAuthConfig oauth) implements Transport {
            public Sse(URI url, Map<String, String> headers, OAuthConfig oauth) {
                this(url, ConfiguredValues.of(headers), oauth);
            }

            public Sse(URI url, Map<String, String> headers) {
                this(url, headers, OAuthConfig.DISCOVER);
            }

            @Override
            public String toString() {
                return typeName();
            }
        }

        /** Not available: the configuration needs environment variables that are not set. */
        record MissingVariables(boolean isStdio, List<String> variables) implements Transport {
            public MissingVariables {
                variables = List.copyOf(variables);
            }

            /** The problem, as a sentence without a period. */
            public String problem() {
                return variables.size() == 1
                        ? "The environment variable " + variables.getFirst() + " is not set"
                        : "The environment variables "
                                + String.join(", ", variables)
                                + " are not set";
            }

            @Override
            public String toString() {
                return typeName();
            }
        }

        /**
         * A server of a project's configuration file that the user has not approved. What the file
         * says of it is not kept, so that nothing of it can be started or sent.
         *
         * @param problem why the server is not approved and what to do, as a sentence without stop
         */
        record NotTrusted(boolean isStdio, String problem) implements Transport {
            @Override
            public String toString() {
                return typeName();
            }
        }

        /**
         * A server whose entry in the configuration file has faults. The other servers are not
         * affected.
         *
         * @param faults at least one
         */
        record Invalid(boolean isStdio, List<ConfigFault> faults) implements Transport {
            public Invalid {
                faults = List.copyOf(faults);
                if (faults.isEmpty()) {
                    throw new IllegalArgumentException("An invalid entry has a fault");
                }
            }

            /** The first fault and how many there are. */
            public String problem() {
                String others =
                        faults.size() == 1
                                ? ""
                                : " (1 of " + faults.size() + " errors; see: patchbay check)";
                return faults.getFirst() + others;
            }

            @Override
            public String toString() {
                return typeName();
            }
        }

        /** The word for it in configuration and output. */
        default String typeName() {
            return switch (this) {
                case Stdio _ -> "stdio";
                case Http _ -> "http";
                case Sse _ -> "sse";
                case MissingVariables unset -> unset.isStdio ? "stdio" : "http";
                case NotTrusted untrusted -> untrusted.isStdio ? "stdio" : "http";
                case Invalid invalid -> invalid.isStdio ? "stdio" : "http";
            };
        }
    }

    /**
     * A fault in the entry of a server.
     *
     * @param place file, line and column
     * @param problem where in the entry and what, without a stop
     * @param remedy what to do, without a stop
     */
    public record ConfigFault(String place, String problem, String remedy) {
        @Override
        public String toString() {
            return place + ": " + problem + ". " + remedy;
        }
    }

    /** Which era to speak with the server. */
    public enum EraChoice {
        AUTO,
        LEGACY,
        MODERN
    }

    /** Who shares a process or a connection of the server. */
    public enum Scope {
        /** {@link ScopeRule} decides. */
        AUTO,
        /** All clients. */
        SHARED,
        /** Nobody: each client has its own. */
        CLIENT,
        /** The clients of one working directory. */
        PROJECT
    }

    /**
     * How many processes or connections the server has, and for how long.
     *
     * @param idleStop how long it may be unused before it is stopped; zero if it is not stopped
     * @param replicas how many copies share the load of a shared server
     */
    public record Instances(Scope scope, Duration idleStop, int replicas) {
        public static final Instances DEFAULTS = new Instances(Scope.AUTO, Duration.ZERO, 1);

        public Instances {
            requireBetween("idleStopMs", idleStop.toMillis(), 0, 86_400_000);
            requireBetween("replicas", replicas, 1, 32);
        }
    }

    /** Description and tags, for users. */
    public record Labels(String description, List<String> tags) {
        public static final Labels NONE = new Labels("", List.of());

        public Labels {
            tags = List.copyOf(tags);
        }
    }

    /**
     * What has a default.
     *
     * @param allowSecretForms whether the server may ask people for secrets in forms
     */
    public record Options(
            boolean enabled,
            Limits limits,
            EraChoice era,
            ToolFilter tools,
            Labels labels,
            boolean allowSecretForms,
            Instances instances) {
        public static final Options DEFAULTS =
                new Options(
                        true,
                        Limits.DEFAULTS,
                        EraChoice.AUTO,
                        ToolFilter.ALLOW_ALL,
                        Labels.NONE,
                        false,
                        Instances.DEFAULTS);

        public Options withEnabled(boolean on) {
            return new Options(on, limits, era, tools, labels, allowSecretForms, instances);
        }

        public Options withLimits(Limits other) {
            return new Options(enabled, other, era, tools, labels, allowSecretForms, instances);
        }

        Options withEra(EraChoice other) {
            return new Options(enabled, limits, other, tools, labels, allowSecretForms, instances);
        }

        public Options withInstances(Instances other) {
            return new Options(enabled, limits, era, tools, labels, allowSecretForms, other);
        }

        public Options withTools(ToolFilter filter) {
            return new Options(enabled, limits, era, filter, labels, allowSecretForms, instances);
        }
    }

    /** Timeouts, and the number of retries. */
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

    /** The same with at most this many retries. */
    public ServerSpec withRetriesMax(int most) {
        Limits was = options.limits;
        var limits =
                new Limits(
                        was.connectionTimeout, was.requestTimeout, Math.min(most, was.maxRetries));
        return new ServerSpec(id, transport, options.withLimits(limits));
    }

    /**
     * Whether a connection to the one serves the other too. Only a change for which this is false
     * restarts a server; timeouts, filters and labels take effect without.
     */
    public boolean hasSameConnection(ServerSpec other) {
        return id.equals(other.id)
                && transport.equals(other.transport)
                && options.era == other.options.era
                && options.allowSecretForms == other.options.allowSecretForms
                && options.instances.scope == other.options.instances.scope
                && options.instances.replicas == other.options.instances.replicas;
    }

    public ServerSpec withEra(EraChoice era) {
        return new ServerSpec(id, transport, options.withEra(era));
    }

    /** The same in another working directory, unless it is no program or has one already. */
    public ServerSpec inDirectory(@Nullable String directory) {
        if (directory == null
                || !(transport instanceof Transport.Stdio program)
                || program.cwd() != null) {
            return this;
        }
        var moved =
                new Transport.Stdio(
                        program.command(),
                        program.args(),
                        program.env(),
                        directory,
                        program.sandbox());
        return new ServerSpec(id, moved, options);
    }

    public ServerSpec withTools(ToolFilter filter) {
        return new ServerSpec(id, transport, options.withTools(filter));
    }

    public ServerSpec withEnabled(boolean on) {
        return new ServerSpec(id, transport, options.withEnabled(on));
    }

    private static void requireBetween(String name, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s is %d; it must be from %d to %d".formatted(name, value, min, max));
        }
    }
}
