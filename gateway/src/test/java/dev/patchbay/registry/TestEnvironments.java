package dev.patchbay.registry;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;

import java.nio.file.Path;
import java.util.Map;

/** Environments of users for tests. */
final class TestEnvironments {
    private TestEnvironments() {}

    static Environment linux() {
        return of(Platform.LINUX);
    }

    static Environment of(Platform platform) {
        return new Environment(platform, Path.of("/home/kim"), Path.of("/work"), Map.of());
    }
}
