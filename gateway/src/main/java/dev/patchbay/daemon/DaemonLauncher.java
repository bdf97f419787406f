package dev.patchbay.daemon;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Starts the daemon as a background process that belongs to no terminal and to no process group of
 * ours, so that it outlives the client that needed it first.
 */
public final class DaemonLauncher {
    /** What the daemon writes to its standard output when clients can attach. */
    public static final String READY = "ready";

    private static final Duration START_TIMEOUT = Duration.ofSeconds(30);

    /**
     * What the daemon itself needs. Everything else belongs to a client, which sends it when it
     * attaches.
     */
    private static final Set<String> VARIABLES =
            Set.of(
                    "PATH",
                    "HOME",
                    "USER",
                    "LANG",
                    "TMPDIR",
                    "JAVA_HOME",
                    "XDG_RUNTIME_DIR",
                    "XDG_STATE_HOME",
                    "XDG_CONFIG_HOME",
                    "HTTP_PROXY",
                    "HTTPS_PROXY",
                    "NO_PROXY",
                    "ALL_PROXY",
                    "http_proxy",
                    "https_proxy",
                    "no_proxy",
                    "all_proxy",
                    "PATCHBAY_JAVA_HOME",
                    "PATCHBAY_JAVA_OPTS");

    /**
     * The first argument is the log. The shell passes the first line on and ends, so that init
     * adopts the daemon.
     */
    private static final String SCRIPT =
            """
            log=$1; shift
            umask 077
            exec </dev/null 2>>"$log" || exit 1
            trap '' HUP
            { "$@" & } | { IFS= read -r line && printf '%s\\n' "$line"; }
            """;

    private final List<String> command;
    private final Map<String, String> variables;

    /**
     * @param command the command that runs a daemon
     * @param variables the environment of this process
     */
    public DaemonLauncher(List<String> command, Map<String, String> variables) {
        this.command = List.copyOf(command);
        this.variables = Map.copyOf(variables);
    }

    /** Starts a daemon and waits until clients can attach to it. */
    void start(DaemonFiles files) throws IOException {
        var words = new ArrayList<String>();
        words.addAll(List.of("/bin/sh", "-c", SCRIPT, "patchbay-daemon", files.log().toString()));
        if (new File("/usr/bin/setsid").canExecute()) {
            words.add("/usr/bin/setsid");
        }
        words.addAll(command);
        var builder = new ProcessBuilder(words).directory(new File("/"));
        builder.redirectInput(Redirect.from(new File("/dev/null")));
        builder.redirectError(Redirect.DISCARD);
        builder.environment().clear();
        variables.forEach(
                (name, value) -> {
                    if (VARIABLES.contains(name) || name.startsWith("LC_")) {
                        builder.environment().put(name, value);
                    }
                });
        awaitReady(builder.start(), files);
    }

    private static void awaitReady(Process shell, DaemonFiles files) throws IOException {
        var answer = new CompletableFuture<String>();
        Thread.ofPlatform().daemon().name("daemon start").start(() -> readAnswer(shell, answer));
        try {
            String line = answer.get(START_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS);
            if (!line.equals(READY)) {
                String why = line.isEmpty() ? "see " + files.log() : line;
                throw new IOException("the daemon could not be started: " + why);
            }
        } catch (TimeoutException e) {
            throw new IOException("the daemon did not start in time; see " + files.log(), e);
        } catch (ExecutionException e) {
            throw new IOException("the daemon could not be started", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Reads the first line of the daemon, which is all it writes; nothing if it has ended. */
    private static void readAnswer(Process shell, CompletableFuture<String> answer) {
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8))) {
            String line = reader.readLine();
            answer.complete(line == null ? "" : line);
        } catch (IOException e) {
            answer.completeExceptionally(e);
        }
    }
}
