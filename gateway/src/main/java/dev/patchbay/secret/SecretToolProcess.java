package dev.patchbay.secret;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a program of the system that keeps secrets. Values go through pipes only: arguments are
 * visible to every user of the machine.
 */
final class SecretToolProcess {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int OUTPUT_BYTES_MAX = 1 << 20;

    private final Map<String, String> environment;

    /** What a finished program printed. */
    record Output(int exitCode, String text) {
        boolean isSuccess() {
            return exitCode == 0;
        }
    }

    SecretToolProcess(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    /** The program's file in a folder of PATH, or null. */
    @Nullable Path find(String program) {
        for (String folder : variable("PATH").split(File.pathSeparator, -1)) {
            if (folder.startsWith(File.separator)) {
                Path file = Path.of(folder, program);
                if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                    return file;
                }
            }
        }
        return null;
    }

    /** Runs a program to its end, with a text on its standard input. */
    Output run(List<String> command, String input) throws IOException {
        Path program = find(command.getFirst());
        if (program == null) {
            throw new IOException("Command not found: " + command.getFirst());
        }
        var words = new ArrayList<>(command);
        words.set(0, program.toString());
        var builder = new ProcessBuilder(words).redirectError(Redirect.DISCARD);
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            var output = CompletableFuture.supplyAsync(() -> readAll(process.getInputStream()));
            writeInput(process, input);
            String text = output.get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            if (!process.waitFor(TIMEOUT)) {
                throw new IOException(command.getFirst() + " did not end in time");
            }
            return new Output(process.exitValue(), text);
        } catch (TimeoutException e) {
            throw new IOException(command.getFirst() + " did not answer in time", e);
        } catch (ExecutionException e) {
            throw new IOException(command.getFirst() + " could not be read", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while " + command.getFirst() + " ran", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private static void writeInput(Process process, String input) throws IOException {
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // The program may end without reading; its exit code says how it went.
            if (!input.isEmpty() && process.isAlive()) {
                throw e;
            }
        }
    }

    private static String readAll(InputStream stream) {
        try (stream) {
            return new String(stream.readNBytes(OUTPUT_BYTES_MAX), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
