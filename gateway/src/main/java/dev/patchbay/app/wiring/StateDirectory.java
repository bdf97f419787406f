package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;

import java.nio.file.Path;

/** The folder for cached lists and sign-ins, by the conventions of each platform. */
final class StateDirectory {
    private StateDirectory() {}

    static Path locate(Environment environment) {
        Path home = environment.home();
        return switch (environment.platform()) {
            case LINUX ->
                    directoryFromVariable(
                                    environment, "XDG_STATE_HOME", home.resolve(".local", "state"))
                            .resolve("patchbay");
            case MACOS -> home.resolve("Library", "Caches", "patchbay");
            case WINDOWS ->
                    directoryFromVariable(
                                    environment, "LOCALAPPDATA", home.resolve("AppData", "Local"))
                            .resolve("patchbay");
        };
    }

    private static Path directoryFromVariable(
            Environment environment, String variable, Path other) {
        Path named = Path.of(environment.variables().getOrDefault(variable, ""));
        return named.isAbsolute() ? named : other;
    }
}
