package dev.patchbay.doctor;

import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.StrayOutput;
import dev.patchbay.stdio.ChildProcess;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Splits a server's failure into lines of evidence. */
final class FailureEvidence {
    private static final int LINES_MAX = 12;

    private FailureEvidence() {}

    /** The message, followed by the last lines of standard error. */
    static List<String> linesFor(ServerFailure failure) {
        String message = failure.message();
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

    /** The same, followed by stray lines of standard output. */
    static List<String> linesFor(ServerFailure failure, StrayOutput stray) {
        var lines = new ArrayList<>(linesFor(failure));
        lines.addAll(linesFor(stray));
        return lines;
    }

    static List<String> linesFor(StrayOutput stray) {
        return stray.lines() == 0
                ? List.of()
                : List.of(
                        "stdout: %d line%s that %s not a message; the last: %s"
                                .formatted(
                                        stray.lines(),
                                        stray.lines() == 1 ? "" : "s",
                                        stray.lines() == 1 ? "is" : "are",
                                        stray.last()));
    }
}
