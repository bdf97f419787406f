package dev.patchbay.app.wiring;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.config.Environment;
import dev.patchbay.telemetry.Telemetry;
import dev.patchbay.text.DisplayText;

/** Starts the export of telemetry. Loaded only if it is configured. */
final class TelemetryStarter {
    private TelemetryStarter() {}

    /** Starts the export; the result ends it. Without it the gateway works all the same. */
    static Runnable start(ConfiguredGateway configured, Environment environment) {
        try {
            String otlp = configured.settings().telemetry().otlp();
            Telemetry telemetry =
                    Telemetry.start(configured.gateway(), otlp, environment.variables());
            return telemetry::close;
        } catch (RuntimeException e) { // the OTEL_ variables have many ways to be wrong
            System.getLogger(TelemetryStarter.class.getName())
                    .log(
                            WARNING,
                            "Telemetry is off: {0}",
                            DisplayText.escape(String.valueOf(e.getMessage())));
            return () -> {};
        }
    }
}
