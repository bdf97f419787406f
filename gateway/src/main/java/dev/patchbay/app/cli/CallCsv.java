package dev.patchbay.app.cli;

import dev.patchbay.history.RecordedCall;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Calls of the history as comma-separated values, as RFC 4180 describes them. */
final class CallCsv {
    static final String HEADING =
            "at,client,principal,via,serverId,method,target,outcome,durationMicros,error,arguments";

    private CallCsv() {}

    static String row(RecordedCall call) {
        return Stream.of(
                        call.at().toString(),
                        call.client(),
                        call.principal(),
                        call.via(),
                        call.server(),
                        call.method(),
                        call.target(),
                        call.outcome(),
                        Long.toString(call.durationMicros()),
                        call.error(),
                        call.arguments())
                .map(CallCsv::field)
                .collect(Collectors.joining(","));
    }

    /**
     * A field in quotes. A text that a spreadsheet would take for a formula begins with an
     * apostrophe.
     */
    private static String field(String text) {
        boolean isFormula = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0;
        String safe = (isFormula ? "'" : "") + text;
        return "\"" + safe.replace("\"", "\"\"") + "\"";
    }
}
