package dev.patchbay.app.wiring;

import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.daemon.DaemonConnector;
import dev.patchbay.daemon.DaemonReply;
import dev.patchbay.daemon.DaemonRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Serves one client on the standard streams: through the user's background gateway if that is
 * wanted and possible, else by itself.
 */
public final class StdioGateway {
    /** Switches the daemon off for this process: {@code PATCHBAY_DAEMON=off}. */
    private static final String DAEMON_VARIABLE = "PATCHBAY_DAEMON";

    /** How a client is to be served. */
    public enum Mode {
        /** As the configuration says. */
        CONFIGURED,
        /** By this process alone. */
        STANDALONE,
        /** By the background gateway, or not at all. */
        ATTACH_ONLY
    }

    private final AppContext context;
    private final @Nullable Path chosen;

    /**
     * @param chosen the configuration that the user named; null to search for one
     */
    public StdioGateway(AppContext context, @Nullable Path chosen) {
        this.context = context;
        this.chosen = chosen;
    }

    /**
     * Serves until the end and returns the exit code.
     *
     * @param view the view that the client gets; null for all tools
     */
    public int serve(Mode mode, @Nullable String view) throws InterruptedException {
        boolean isAttached =
                switch (mode) {
                    case STANDALONE -> false;
                    case ATTACH_ONLY -> true;
                    case CONFIGURED -> isDaemonWanted();
                };
        if (isAttached) {
            try {
                return attach(view);
            } catch (DaemonConnector.RefusedException e) {
                DaemonReply.Refused refusal = e.refusal();
                if (refusal.reason() == DaemonReply.Reason.CONFIGURATION) {
                    refusal.messages().forEach(context.terminal()::printMessage);
                    throw new CommandFailedException(refusal.exitCode(), refusal.message());
                }
                onUnavailable(mode, refusal.message());
            } catch (IOException e) {
                onUnavailable(mode, IoErrorText.describe(e));
            }
        }
        return ConfiguredGateway.serveStdio(context, chosen, view);
    }

    private void onUnavailable(Mode mode, String why) {
        String message = "The background gateway cannot be used: " + why;
        if (mode == Mode.ATTACH_ONLY) {
            throw new CommandFailedException(ExitCode.FAILED, message);
        }
        context.terminal().printMessage("patchbay: " + message + " This process serves alone.");
    }

    private int attach(@Nullable String view) throws IOException, InterruptedException {
        DaemonRequest.ClientStart client = DaemonRunner.clientStart(context, chosen);
        return new RelayRunner(context, DaemonRunner.connector(context), client, view).serve();
    }

    /** Reads the file as a whole only if it says something about the daemon. */
    private boolean isDaemonWanted() {
        if (context.environment().platform() == Platform.WINDOWS || isSwitchedOff(context)) {
            return false;
        }
        Path file = new ConfigLocator(context.environment()).find(chosen).orElse(null);
        if (file == null || !mentionsDaemon(file)) {
            return PatchbaySettings.DEFAULTS.daemon().isEnabled();
        }
        return ConfigSource.find(context, chosen).read()
                        instanceof ConfigReadResult.Valid(Configuration configuration, _)
                && configuration.settings().daemon().isEnabled();
    }

    /** Whether this process must not use the daemon. */
    static boolean isSwitchedOff(AppContext context) {
        return "off".equals(context.environment().variables().get(DAEMON_VARIABLE));
    }

    private static boolean mentionsDaemon(Path file) {
        try {
            return Files.size(file) <= ConfigReader.FILE_BYTES_MAX
                    && Files.readString(file, StandardCharsets.ISO_8859_1).contains("\"daemon\"");
        } catch (IOException _) {
            return false;
        }
    }
}
