package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The machine as the configuration sees it: where its files lie and what its variables say. */
public record Surroundings(
        Platform platform, Path home, Path workingDirectory, Map<String, String> environment) {
    /** The kinds of system that put files in different places. */
    public enum Platform {
        LINUX,
        MACOS,
        WINDOWS;

        /** The platform that {@code os.name} speaks of. */
        public static Platform of(String osName) {
            String name = osName.toLowerCase(Locale.ROOT);
            if (name.startsWith("windows")) {
                return WINDOWS;
            }
            return name.startsWith("mac") ? MACOS : LINUX;
        }
    }

    public Surroundings {
        environment = Map.copyOf(environment);
    }

    /** The folder in which programs keep what is configured for this user. */
    Path programs() {
        return switch (platform) {
            case LINUX -> folder("XDG_CONFIG_HOME", home.resolve(".config"));
            case MACOS -> home.resolve("Library", "Application Support");
            case WINDOWS -> folder("APPDATA", home.resolve("AppData", "Roaming"));
        };
    }

    /** Patchbay's own folder there. */
    public Path configDirectory() {
        return programs().resolve("patchbay");
    }

    /** The folder that a variable names, if it is an absolute path as it should be. */
    Path folder(String variable, Path other) {
        Path named = pathOf(environment.getOrDefault(variable, ""));
        return named != null && named.isAbsolute() ? named : other;
    }

    /** The path that a text is; null if no path can be written so on this machine. */
    static @Nullable Path pathOf(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
