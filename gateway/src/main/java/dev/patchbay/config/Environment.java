package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** The user's environment: operating system, folders and variables. */
public record Environment(
        Platform platform, Path home, Path workingDirectory, Map<String, String> variables) {
    /** Operating systems that differ in where they store files. */
    public enum Platform {
        LINUX,
        MACOS,
        WINDOWS;

        /** The platform named by {@code os.name}. */
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

    /** The folder for the configuration of the user's programs. */
    public Path configHome() {
        return switch (platform) {
            case LINUX -> directoryFromVariable("XDG_CONFIG_HOME", home.resolve(".config"));
            case MACOS -> home.resolve("Library", "Application Support");
            case WINDOWS -> directoryFromVariable("APPDATA", home.resolve("AppData", "Roaming"));
        };
    }

    /** Patchbay's configuration folder. */
    public Path configDirectory() {
        return configHome().resolve("patchbay");
    }

    /** The folder named by a variable, if it is an absolute path; otherwise the given one. */
    public Path directoryFromVariable(String variable, Path other) {
        Path named = parsePath(variables.getOrDefault(variable, ""));
        return named != null && named.isAbsolute() ? named : other;
    }

    /** Parses a path; null if it is not valid on this machine. */
    static @Nullable public Path parsePath(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            return null;
        }
    }
}
