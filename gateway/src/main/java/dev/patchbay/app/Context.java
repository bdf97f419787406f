package dev.patchbay.app;

import dev.patchbay.config.Surroundings;
import dev.patchbay.config.Surroundings.Platform;
import dev.patchbay.stdio.StandardStreams;

import java.nio.file.Path;
import java.util.Map;

/** What the process was given by its surroundings: streams, environment, folders. */
record Context(StandardStreams streams, Terminal terminal, Surroundings surroundings) {
    static Context of(StandardStreams streams) {
        return new Context(streams, Terminal.of(streams.out(), System.getenv()), found());
    }

    private static Surroundings found() {
        Map<String, String> environment = System.getenv();
        // The variable first: the JVM asks the user database, which no test and no container sets.
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return new Surroundings(
                Platform.of(System.getProperty("os.name")),
                Path.of(home),
                Path.of("").toAbsolutePath(),
                environment);
    }
}
