package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.GatewayRecords;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.history.LogEvent;
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
import java.util.Locale;
import java.util.concurrent.Callable;

/** {@code patchbay logs}: shows what servers wrote, and what happened to them. */
@Command(
        name = "logs",
        description =
                "Show what servers write to standard error, and when they connected, failed and"
                        + " ended. Starts no server.",
        mixinStandardHelpOptions = true)
final class LogsCommand implements Callable<Integer> {
    private static final int EVENTS_SHOWN = 200;
    private static final int EVENTS_MAX = 1_000_000;
    private static final Duration FOLLOW_INTERVAL = Duration.ofMillis(250);

    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "SERVER",
            description = "Only what concerns this server.")
    private String server = "";

    @Option(names = "--errors", description = "Only errors, without the output of servers.")
    private boolean errors;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description =
                    "Only what happened since then: 30m, 12h, 7d, a date such as 2026-11-18, or a"
                            + " time such as 2026-11-18T09:00:00Z.")
    private @Nullable String since;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The number of lines, the newest. Default: ${DEFAULT-VALUE}.")
    private int limit = EVENTS_SHOWN;

    @Option(names = "--json", description = "Print each event as a line of JSON.")
    private boolean json;

    @Option(names = "--follow", description = "Keep running, and print new lines.")
    private boolean follow;

    LogsCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (limit < 1 || limit > EVENTS_MAX) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, "--limit must be from 1 to " + EVENTS_MAX + ".");
        }
        Terminal terminal = context.terminal();
        Instant earliest = since == null ? null : PastTime.parse(since, Instant.now());
        Query<LogEvent> query = new Query<>(this::isWanted, earliest);
        StoredLineReader<LogEvent> reader = GatewayRecords.events(context, config.file);
        if (follow) {
            reader.skipToEnd();
        }
        List<LogEvent> events = reader.newest(query, limit);
        events.forEach(this::print);
        while (follow && !terminal.hasWriteError()) {
            Ticker.system().sleep(FOLLOW_INTERVAL);
            reader.readNew(query, this::print);
        }
        if (events.isEmpty() && !json) {
            terminal.printMessage(
                    GatewayRecords.isEnabled(context, config.file)
                            ? "Nothing recorded that fits. Only gateways that serve clients keep a"
                                    + " log; for one command: patchbay doctor SERVER"
                            : "Nothing recorded: the history is off (patchbay.history.enabled).");
        }
        return ExitCode.OK;
    }

    private boolean isWanted(LogEvent event) {
        return (server.isEmpty() || event.server().equals(server))
                && (!errors || event.level().equals("error"));
    }

    private void print(LogEvent event) {
        context.terminal().print(json ? event.json().toString() : line(event));
    }

    /** Time, level, server or gateway, event, message. */
    private static String line(LogEvent event) {
        String about =
                event.server().isEmpty()
                        ? "(" + event.via() + " " + event.pid() + ")"
                        : event.server();
        String reason = event.reason().isEmpty() ? "" : event.reason() + ": ";
        return "%s %-7s %s %s %s"
                .formatted(
                        event.at(),
                        event.level().toUpperCase(Locale.ROOT),
                        about,
                        event.event(),
                        reason + (event.message().isEmpty() ? event.config() : event.message()))
                .strip();
    }
}
