package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;

import java.nio.file.Path;

/** Where the program keeps what it learned, by the customs of each platform. */
final class StateDirectory {
    private StateDirectory() {}

    static Path locate(Environment surroundings) {
        Path home = surroundings.home();
        return switch (surroundings.platform()) {
            case LINUX ->
                    directoryFromVariable(
                                    surroundings, "XDG_STATE_HOME", home.resolve(".local", "state"))
                            .resolve("patchbay");
            case MACOS -> home.resolve("Library", "Caches", "patchbay");
            case WINDOWS ->
                    directoryFromVariable(
                                    surroundings, "LOCALAPPDATA", home.resolve("AppData", "Local"))
                            .resolve("patchbay");
        };
    }

    private static Path directoryFromVariable(
            Environment surroundings, String variable, Path other) {
        Path named = Path.of(surroundings.variables().getOrDefault(variable, ""));
        return named.isAbsolute() ? named : other;
    }
}
