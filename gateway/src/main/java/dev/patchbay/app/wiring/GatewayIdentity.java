package dev.patchbay.app.wiring;

import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.Environment;
import dev.patchbay.config.read.ConfigReader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a gateway of the daemon depends on. Two clients share a gateway if this is the same for
 * both: the file, and the values of the variables that the file or a server's process would see.
 *
 * @param file the real path of the configuration; null if there is none
 * @param isProject whether the file was found in the client's working directory, so that only what
 *     the user has approved is used
 * @param folder where servers run whose entries name no directory
 * @param variables the whole environment of the first client
 * @param relevant the names of the variables that must be equal
 */
record GatewayIdentity(
        @Nullable Path file,
        boolean isProject,
        Path folder,
        Map<String, String> variables,
        Set<String> relevant) {
    /** What programs, sign-ins, secrets and package runners find their files by. */
    private static final Set<String> ALWAYS_RELEVANT =
            Set.of(
                    "PATH",
                    "HOME",
                    "USER",
                    "TMPDIR",
                    "XDG_CONFIG_HOME",
                    "XDG_STATE_HOME",
                    "XDG_DATA_HOME",
                    "XDG_CACHE_HOME",
                    "DBUS_SESSION_BUS_ADDRESS",
                    "PASSWORD_STORE_DIR",
                    "GNUPGHOME",
                    "DOCKER_HOST",
                    "DOCKER_CONTEXT",
                    ConfigReader.NAMES_VARIABLE);

    /** Where Patchbay itself keeps its files. */
    private static final Set<String> OWN_FOLDERS =
            Set.of("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME");

    /** Texts in a file that depend on the working directory. */
    private static final List<String> RELATIVE_PATHS = List.of("\".\"", "\"./", "\"..\"", "\"../");

    GatewayIdentity {
        variables = Map.copyOf(variables);
        relevant = Set.copyOf(relevant);
    }

    /**
     * What a client needs.
     *
     * @param chosen the file that the user named; null to search for one
     */
    static GatewayIdentity of(Environment environment, @Nullable Path chosen) {
        return of(environment, new ConfigLocator(environment).find(chosen).orElse(null), chosen);
    }

    static GatewayIdentity of(Environment environment, @Nullable Path file, @Nullable Path chosen) {
        String text = file == null ? "" : readText(file);
        boolean isProject =
                file != null && new ConfigLocator(environment).isProjectFile(file, chosen);
        boolean isRelative = RELATIVE_PATHS.stream().anyMatch(text::contains);
        var relevant = new HashSet<>(ALWAYS_RELEVANT);
        relevant.addAll(variablesIn(text));
        return new GatewayIdentity(
                file == null ? null : realPath(file),
                isProject,
                isProject || isRelative ? environment.workingDirectory() : environment.home(),
                environment.variables(),
                relevant);
    }

    /** Whether a client that needs the other gateway can use this one. */
    boolean fits(GatewayIdentity other) {
        return Objects.equals(file, other.file)
                && isProject == other.isProject
                && folder.equals(other.folder)
                && other.relevant.stream().allMatch(name -> hasSame(name, other));
    }

    /**
     * Whether a command can ask this gateway, if none fits exactly. Hosts and shells have different
     * paths to programs, and the user wants to know about the servers that the hosts use. The
     * command must not have set a variable of the file to another value.
     */
    boolean answers(GatewayIdentity other) {
        return Objects.equals(file, other.file)
                && isProject == other.isProject
                && folder.equals(other.folder)
                && OWN_FOLDERS.stream().allMatch(name -> hasSame(name, other))
                && other.relevant.stream()
                        .filter(name -> !ALWAYS_RELEVANT.contains(name))
                        .filter(other.variables::containsKey)
                        .allMatch(name -> hasSame(name, other));
    }

    private boolean hasSame(String name, GatewayIdentity other) {
        return Objects.equals(variables.get(name), other.variables.get(name));
    }

    /** The names of the variables in a text, with or without a default; some may be no names. */
    static Set<String> variablesIn(String text) {
        var names = new HashSet<String>();
        for (int at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at + 2)) {
            int from = text.startsWith("env:", at + 2) ? at + 2 + "env:".length() : at + 2;
            int end = from;
            while (end < text.length() && isNamePart(text.charAt(end))) {
                end++;
            }
            names.add(text.substring(from, end));
        }
        return names;
    }

    private static boolean isNamePart(char c) {
        return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
    }

    /** The text of a file; empty if it cannot be read, which is reported later. */
    private static String readText(Path file) {
        try {
            return Files.size(file) > ConfigReader.FILE_BYTES_MAX
                    ? ""
                    : Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException _) {
            return "";
        }
    }

    private static Path realPath(Path file) {
        try {
            return file.toRealPath();
        } catch (IOException _) {
            return file.toAbsolutePath().normalize();
        }
    }
}
