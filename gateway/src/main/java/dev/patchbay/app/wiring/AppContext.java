package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.stdio.StandardStreams;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;

/**
 * The environment of a command: streams, terminal, variables and folders.
 *
 * @param lent the open gateway that the command uses, in the daemon; null if it opens its own
 */
public record AppContext(
        StandardStreams streams,
        Terminal terminal,
        Environment environment,
        @Nullable ConfiguredGateway lent) {
    public AppContext(StandardStreams streams, Terminal terminal, Environment environment) {
        this(streams, terminal, environment, null);
    }

    public static AppContext of(StandardStreams streams) {
        return new AppContext(
                streams, Terminal.of(streams.out(), System.getenv()), detectEnvironment());
    }

    private static Environment detectEnvironment() {
        Map<String, String> environment = System.getenv();
        // The variable comes first: the JVM reads the user database, which tests and containers do
        // not change.
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return new Environment(
                Platform.of(System.getProperty("os.name")),
                Path.of(home),
                Path.of("").toAbsolutePath(),
                environment);
    }
}
