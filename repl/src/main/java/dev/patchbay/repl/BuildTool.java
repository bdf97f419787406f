package dev.patchbay.repl;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs Maven or Gradle as a process, within a time, and says why it failed in its own words. */
final class BuildTool {
    /** Colours, labels, advice on how to use the tool, and the JVM's to its developers. */
    private static final Pattern IGNORED_OUTPUT =
            Pattern.compile(
                    "\u001b\\[[0-9;]*m|\\[(ERROR|WARNING)\\]"
                            + "|WARNING: .*"
                            + "|(To see the full stack|Re-run Maven|For more information).*"
                            + "|(-> )?\\[Help \\d+\\].*");

    private static final int ERROR_LINES_MAX = 8;
    private static final int OUTPUT_CHARS_MAX = 20_000;

    private final String name;
    private final Duration timeout;

    BuildTool(String name, Duration timeout) {
        this.name = name;
        this.timeout = timeout;
    }

    static boolean isWindows() {
        return System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("win");
    }

    /** Runs a command to its end; what it prints goes to a file. */
    void run(String what, List<String> command, Path folder, Path output)
            throws IOException, ReplException, InterruptedException {
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .redirectInput(ProcessBuilder.Redirect.PIPE)
                        .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ReplException(
                        "%s did not resolve %s within %d s"
                                .formatted(name, what, timeout.toSeconds()));
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (process.exitValue() != 0) {
            throw new ReplException(
                    name + " could not resolve " + what + ":\n" + errorOutput(output));
        }
    }

    private static String errorOutput(Path output) throws IOException {
        byte[] bytes;
        try (var content = Files.newInputStream(output)) {
            bytes = content.readNBytes(OUTPUT_CHARS_MAX);
        }
        return new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .map(line -> IGNORED_OUTPUT.matcher(line).replaceAll("").strip())
                .filter(line -> !line.isBlank())
                .limit(ERROR_LINES_MAX)
                .reduce("", (text, line) -> text + line + "\n")
                .strip();
    }

    /** Deletes a folder for temporary files; what cannot be deleted stays for the system. */
    static void delete(@Nullable Path folder) {
        if (folder == null) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            return;
        }
    }
}
