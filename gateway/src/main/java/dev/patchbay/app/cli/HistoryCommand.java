package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.GatewayRecords;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.history.CallFilter;
import dev.patchbay.history.RecordedCall;
import dev.patchbay.history.StoredLineReader;
import dev.patchbay.history.StoredLineReader.Query;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** {@code patchbay history}: shows the calls that clients have made. */
@Command(
        name = "history",
        description =
                "Show the calls of all clients: when, who, which tool, with what outcome. Starts no"
                        + " server.",
        mixinStandardHelpOptions = true)
final class HistoryCommand implements Callable<Integer> {
    private static final int CALLS_SHOWN = 50;
    private static final Duration FOLLOW_INTERVAL = Duration.ofMillis(250);

    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "TEXT",
            description = "Only calls with this text in the name, the arguments or the error.")
    private String text = "";

    @Option(names = "--server", paramLabel = "ID", description = "Only calls of this server.")
    private String server = "";

    @Option(
            names = "--tool",
            paramLabel = "NAME",
            description = "Only calls of this tool, with or without the id of its server.")
    private String tool = "";

    @Option(
            names = "--client",
            paramLabel = "NAME",
            description = "Only calls of clients whose name contains this text.")
    private String client = "";

    @Option(names = "--failed", description = "Only calls that failed.")
    private boolean failed;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "Only calls since then: 30m, 12h, 7d, a date such as 2026-11-18, or a time such"
                            + " as 2026-11-18T09:00:00Z.")
    private @Nullable String since;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description =
                    "The number of calls, the newest. Default: 50; with --json or --csv, all.")
    private @Nullable Integer limit;

    @Option(names = "--json", description = "Print each call as a line of JSON.")
    private boolean json;

    @Option(names = "--csv", description = "Print the calls as CSV.")
    private boolean csv;

    @Option(names = "--follow", description = "Keep running, and print each call when it ends.")
    private boolean follow;

    HistoryCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (json && csv) {
            throw wrongUsage("Use either --json or --csv.");
        }
        if (limit != null && limit < 1) {
            throw wrongUsage("--limit must be 1 or more.");
        }
        Instant earliest = since == null ? null : PastTime.parse(since, Instant.now());
        Query<RecordedCall> query =
                new CallFilter(server, tool, client, text, failed, earliest).query();
        StoredLineReader<RecordedCall> reader = GatewayRecords.calls(context, config.file);
        if (csv) {
            context.terminal().print(CallCsv.HEADING);
        }
        if (follow) {
            return follow(reader, query);
        }
        if ((json || csv) && limit == null) {
            reader.forEach(query, this::export);
            return ExitCode.OK;
        }
        List<RecordedCall> calls = reader.newest(query, limit == null ? CALLS_SHOWN : limit);
        if (json || csv) {
            calls.forEach(this::export);
        } else {
            print(calls);
        }
        return ExitCode.OK;
    }

    private int follow(StoredLineReader<RecordedCall> reader, Query<RecordedCall> query)
            throws IOException, InterruptedException {
        Terminal terminal = context.terminal();
        Consumer<RecordedCall> printer =
                json || csv ? this::export : call -> terminal.print(CallTable.line(call));
        if (limit != null) {
            reader.newest(query, limit).forEach(printer);
        }
        reader.skipToEnd();
        while (!terminal.hasWriteError()) {
            Ticker.system().sleep(FOLLOW_INTERVAL);
            reader.readNew(query, printer);
        }
        return ExitCode.OK;
    }

    private void export(RecordedCall call) {
        if (json) {
            context.terminal().print(call.toJson().toString());
        } else if (call.notRecorded() == 0) {
            context.terminal().print(CallCsv.row(call));
        }
    }

    private void print(List<RecordedCall> calls) {
        Terminal terminal = context.terminal();
        long missing = calls.stream().mapToLong(RecordedCall::notRecorded).sum();
        List<RecordedCall> made = calls.stream().filter(it -> it.notRecorded() == 0).toList();
        if (!made.isEmpty()) {
            CallTable.print(terminal, made);
        } else if (GatewayRecords.isEnabled(context, config.file)) {
            terminal.printMessage("No calls recorded that fit.");
        } else {
            terminal.printMessage(
                    "No calls recorded: the history is off (patchbay.history.enabled).");
        }
        if (missing > 0) {
            terminal.printMessage(
                    missing
                            + " calls are missing: there were too many at once, or the disk was"
                            + " full.");
        }
    }

    private static CommandFailedException wrongUsage(String message) {
        return new CommandFailedException(ExitCode.WRONG_USAGE, message);
    }
}
