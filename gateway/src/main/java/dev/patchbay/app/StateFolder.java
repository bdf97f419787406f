package dev.patchbay.app;

import dev.patchbay.config.Surroundings;

import java.nio.file.Path;

/** Where the program keeps what it learned, by the customs of each platform. */
final class StateFolder {
    private StateFolder() {}

    static Path of(Surroundings surroundings) {
        Path home = surroundings.home();
        return switch (surroundings.platform()) {
            case LINUX ->
                    folder(surroundings, "XDG_STATE_HOME", home.resolve(".local", "state"))
                            .resolve("patchbay");
            case MACOS -> home.resolve("Library", "Caches", "patchbay");
            case WINDOWS ->
                    folder(surroundings, "LOCALAPPDATA", home.resolve("AppData", "Local"))
                            .resolve("patchbay");
        };
    }

    private static Path folder(Surroundings surroundings, String variable, Path other) {
        Path named = Path.of(surroundings.environment().getOrDefault(variable, ""));
        return named.isAbsolute() ? named : other;
    }
}
