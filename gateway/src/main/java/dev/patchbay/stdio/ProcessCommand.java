package dev.patchbay.stdio;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A program to start and its arguments, without a shell.
 *
 * @param name a path, or the name of a program in a folder of PATH
 * @param env what the program gets besides the few variables every program gets
 * @param folder where it runs; in our own folder if there is none
 * @param secretMask hides the secrets that the program is given in a text
 */
public record ProcessCommand(
        String name,
        List<String> args,
        Map<String, String> env,
        @Nullable Path folder,
        UnaryOperator<String> secretMask) {
    private static final int DISPLAY_CHARS_MAX = 300;

    /** The variables that programs inherit. All others may hold secrets. */
    private static final Set<String> INHERITED_VARIABLES =
            Set.of("PATH", "HOME", "USER", "LANG", "TMPDIR", "TERM", "SHELL");

    /** A program that is given no secrets. */
    public ProcessCommand(
            String name, List<String> args, Map<String, String> env, @Nullable Path folder) {
        this(name, args, env, folder, UnaryOperator.identity());
    }

    public ProcessCommand {
        args = List.copyOf(args);
        env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
    }

    /** Finds the file to run now, so that a later change of PATH cannot replace it. */
    public Path findProgram(@Nullable String path) throws IOException {
        if (name.indexOf('/') >= 0 || name.indexOf(File.separatorChar) >= 0) {
            Path file = (folder == null ? Path.of("") : folder).toAbsolutePath().resolve(name);
            return requireExecutable(file.normalize());
        }
        String searched = path == null ? "" : path;
        for (String entry : searched.split(File.pathSeparator, -1)) {
            // Relative entries of PATH are ignored: they depend on the working directory.
            if (entry.startsWith(File.separator)) {
                Path file = Path.of(entry, name);
                if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                    return file;
                }
            }
        }
        throw new UnusableCommandException(
                "command not found: %s (PATH is %s)"
                        .formatted(
                                DisplayText.escape(name, DISPLAY_CHARS_MAX),
                                DisplayText.escape(searched, DISPLAY_CHARS_MAX)));
    }

    private static Path requireExecutable(Path file) throws IOException {
        String shown = DisplayText.escape(file.toString(), DISPLAY_CHARS_MAX);
        if (!Files.isRegularFile(file)) {
            throw new UnusableCommandException("command not found: " + shown);
        }
        if (!Files.isExecutable(file)) {
            throw new UnusableCommandException(shown + " is not executable");
        }
        return file;
    }

    /** The working directory, which must exist; null for the gateway's. */
    @Nullable File requireFolder() throws IOException {
        if (folder == null) {
            return null;
        }
        if (!Files.isDirectory(folder)) {
            throw new UnusableCommandException(
                    "no such directory: "
                            + DisplayText.escape(folder.toString(), DISPLAY_CHARS_MAX));
        }
        return folder.toFile();
    }

    /** Whether every program gets this variable of ours. */
    public static boolean isInherited(String variable) {
        return INHERITED_VARIABLES.contains(variable) || variable.startsWith("LC_");
    }

    /** The whole environment of the program: of ours, only what every program may see. */
    Map<String, String> fullEnvironment(Map<String, String> ours) {
        var all = new LinkedHashMap<String, String>();
        boolean downloads = !PackageRunner.nameOf(name, args).isEmpty();
        ours.forEach(
                (variable, value) -> {
                    if (isInherited(variable)
                            || (downloads && PackageRunner.needsVariable(variable))) {
                        all.put(variable, value);
                    }
                });
        all.putAll(env);
        return all;
    }

    /** Refuses arguments that the locale cannot encode. */
    void requireEncodable(Charset locale) throws IOException {
        var words = new ArrayList<String>(args);
        words.add(name);
        words.addAll(env.values());
        CharsetEncoder encoder = locale.newEncoder();
        for (String word : words) {
            if (!encoder.canEncode(word)) {
                throw new UnusableCommandException(
                        "the locale (%s) cannot encode the arguments; start with LC_ALL=C.UTF-8"
                                .formatted(locale));
            }
        }
    }
}
