package dev.patchbay.sandbox;

import dev.patchbay.server.SandboxUnavailableException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Records with strace which files a program opens and where it connects to. */
final class AccessRecorder {
    private static final List<Path> PROGRAMS =
            List.of(Path.of("/usr/bin/strace"), Path.of("/usr/local/bin/strace"));
    private static final String CALLS =
            "trace=open,openat,openat2,creat,execve,mkdir,mkdirat,rename,renameat,renameat2,"
                    + "unlink,unlinkat,connect";

    private static final String NAME = "trace";

    private final Path strace;
    private final Path file;

    private AccessRecorder(Path strace, Path file) {
        this.strace = strace;
        this.file = file;
    }

    static AccessRecorder open(TemporaryFolder folder) throws SandboxUnavailableException {
        Path program =
                PROGRAMS.stream()
                        .filter(Files::isExecutable)
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new SandboxUnavailableException(
                                                "the level learn needs strace, which is not"
                                                        + " installed",
                                                "Install strace, or choose another sandbox for the"
                                                        + " server"));
        return new AccessRecorder(program, folder.path().resolve(NAME));
    }

    /** The command that runs another one and records what it does. */
    List<String> command(List<String> words) {
        var all = new ArrayList<String>();
        all.add(strace.toString());
        all.addAll(List.of("-f", "-qq", "-y", "-s", "4096", "-e", CALLS, "-o"));
        all.add(filterCommand());
        all.add("--");
        all.addAll(words);
        return all;
    }

    /**
     * Joins the two lines of a call during which another process made one. Drops process ids and
     * descriptors, and every line that was there before.
     */
    private String filterCommand() {
        return "|trap '' TERM; exec awk '{p=$1;sub(/^[0-9]+ +/,\"\")}"
                + "/ <unfinished \\.\\.\\.>$/{sub(/ <unfinished \\.\\.\\.>$/,\"\");u[p]=$0;next}"
                + "/^<\\.\\.\\. [a-z0-9_]+ resumed>/"
                + "{sub(/^<\\.\\.\\. [a-z0-9_]+ resumed>/,\"\");$0=u[p] $0;delete u[p]}"
                + "{sub(/= [0-9]+</,\"= 0<\")}"
                + "n<200000&&!($0 in s){s[$0];n++;print;fflush()}' >'"
                + file
                + "'";
    }

    /** Passes the recorded lines on; none if there is no record. */
    void forEachLine(Consumer<String> consumer) throws IOException {
        if (Files.exists(file)) {
            try (Stream<String> lines = Files.lines(file, StandardCharsets.ISO_8859_1)) {
                lines.forEach(consumer);
            }
        }
    }
}
