package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.history.RecordedCall;
import dev.patchbay.text.DisplayText;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Calls of the history as text. Times are those of this machine's time zone. */
final class CallTable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    private CallTable() {}

    /** Prints calls as a table, one line each. */
    static void print(Terminal terminal, List<RecordedCall> calls) {
        var table = new TextTable("TIME", "CLIENT", "CALL", "OUTCOME", "DURATION", "DETAILS");
        for (RecordedCall call : calls) {
            table.add(
                    TextTable.Cell.of(time(call.at()), terminal::dim),
                    TextTable.Cell.of(client(call)),
                    TextTable.Cell.of(call.subject(), terminal::bold),
                    call.isError()
                            ? TextTable.Cell.of(call.outcome(), terminal::error)
                            : TextTable.Cell.of(call.outcome()),
                    TextTable.Cell.of(duration(call.durationMicros())),
                    TextTable.Cell.of(details(call)));
        }
        table.print(terminal);
    }

    /** A call as a line on its own. */
    static String line(RecordedCall call) {
        if (call.notRecorded() > 0) {
            return time(call.at()) + "  " + call.notRecorded() + " calls were not recorded";
        }
        return DisplayText.oneLine(
                String.join(
                        "  ",
                        time(call.at()),
                        client(call),
                        call.subject(),
                        call.outcome(),
                        duration(call.durationMicros()),
                        details(call)));
    }

    static String time(Instant at) {
        return TIME.format(at);
    }

    /** The name of the client; how it reached the gateway if it has none. */
    static String client(RecordedCall call) {
        return call.client().isEmpty() ? "(" + call.via() + ")" : call.client();
    }

    private static String details(RecordedCall call) {
        return call.error().isEmpty() ? call.arguments() : call.error();
    }

    private static String duration(long micros) {
        if (micros < 10_000) {
            return "%.1f ms".formatted(micros / 1e3);
        }
        return micros < 10_000_000 ? micros / 1_000 + " ms" : "%.1f s".formatted(micros / 1e6);
    }
}
