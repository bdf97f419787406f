package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.DaemonRunner;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.GatewayRecords;
import dev.patchbay.app.wiring.RecordedStates;
import dev.patchbay.daemon.DaemonReply;
import dev.patchbay.daemon.DaemonRequest;
import dev.patchbay.history.CallFilter;
import dev.patchbay.history.RecordedCall;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay status}: what runs, who uses it, and what is wrong. */
@Command(
        name = "status",
        description =
                "Show which gateways run, who uses them, which servers are in trouble, and the"
                        + " last errors. Starts no server.",
        mixinStandardHelpOptions = true)
final class StatusCommand implements Callable<Integer> {
    private static final Duration RECENT = Duration.ofHours(24);
    private static final int CALLS_MAX = 20_000;

    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    StatusCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        Instant now = Instant.now();
        var filter = new CallFilter("", "", "", "", false, now.minus(RECENT));
        List<RecordedCall> calls =
                GatewayRecords.calls(context, config.file).newest(filter.query(), CALLS_MAX);
        RecordedStates states = RecordedStates.read(context, config.file);
        var report = new StatusReport(daemon(), states, states.failures(now), calls);
        if (json) {
            context.terminal().print(report.toJson().toString());
        } else {
            report.print(context.terminal());
        }
        return report.hasTrouble() ? ExitCode.FAILED : ExitCode.OK;
    }

    /** The state of the background gateway; null if it does not run. */
    private @Nullable Json daemon() {
        try {
            return DaemonRunner.connector(context).ask(new DaemonRequest.Status())
                            instanceof DaemonReply.Done(Json status)
                    ? status
                    : null;
        } catch (IOException _) {
            return null;
        }
    }
}
