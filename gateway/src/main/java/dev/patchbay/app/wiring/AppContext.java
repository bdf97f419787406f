package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.stdio.StandardStreams;

import java.nio.file.Path;
import java.util.Map;

/** The environment of the process: streams, terminal, variables and folders. */
public record AppContext(StandardStreams streams, Terminal terminal, Environment environment) {
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
