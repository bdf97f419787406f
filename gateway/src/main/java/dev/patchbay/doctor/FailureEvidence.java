package dev.patchbay.doctor;

import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.StrayOutput;
import dev.patchbay.stdio.ChildProcess;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What a server left behind, in lines that can be shown as evidence. */
final class FailureEvidence {
    private static final int LINES_MAX = 12;

    private FailureEvidence() {}

    /** What is told of a trouble, the last lines of standard error each on a line of its own. */
    static List<String> linesFor(ServerFailure trouble) {
        String message = trouble.message();
        int said = message.indexOf(ChildProcess.STDERR_PREFIX);
        if (said < 0) {
            return List.of(message);
        }
        var lines = new ArrayList<String>();
        lines.add(message.substring(0, said));
        String[] errors =
                message.substring(said + ChildProcess.STDERR_PREFIX.length()).split("\\\\n", -1);
        int from = Math.max(0, errors.length - LINES_MAX);
        Arrays.stream(errors, from, errors.length).map(it -> "stderr: " + it).forEach(lines::add);
        return lines;
    }

    /** The same with what it wrote to its standard output. */
    static List<String> linesFor(ServerFailure trouble, StrayOutput chatter) {
        var lines = new ArrayList<>(linesFor(trouble));
        lines.addAll(linesFor(chatter));
        return lines;
    }

    static List<String> linesFor(StrayOutput chatter) {
        return chatter.lines() == 0
                ? List.of()
                : List.of(
                        "stdout: %d line%s that %s no message; the last: %s"
                                .formatted(
                                        chatter.lines(),
                                        chatter.lines() == 1 ? "" : "s",
                                        chatter.lines() == 1 ? "is" : "are",
                                        chatter.last()));
    }
}
