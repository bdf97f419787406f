package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The machine as the configuration sees it: where its files lie and what its variables say. */
public record Environment(
        Platform platform, Path home, Path workingDirectory, Map<String, String> variables) {
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

    public Environment {
        variables = Map.copyOf(variables);
    }

    /** The folder in which programs keep what is configured for this user. */
    public Path configHome() {
        return switch (platform) {
            case LINUX -> directoryFromVariable("XDG_CONFIG_HOME", home.resolve(".config"));
            case MACOS -> home.resolve("Library", "Application Support");
            case WINDOWS -> directoryFromVariable("APPDATA", home.resolve("AppData", "Roaming"));
        };
    }

    /** Patchbay's own folder there. */
    public Path configDirectory() {
        return configHome().resolve("patchbay");
    }

    /** The folder that a variable names, if it is an absolute path as it should be. */
    public Path directoryFromVariable(String variable, Path other) {
        Path named = parsePath(variables.getOrDefault(variable, ""));
        return named != null && named.isAbsolute() ? named : other;
    }

    /** The path that a text is; null if no path can be written so on this machine. */
    static @Nullable public Path parsePath(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
