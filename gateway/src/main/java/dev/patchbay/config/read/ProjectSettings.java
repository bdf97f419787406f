package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.PatchbaySettings.Http;
import dev.patchbay.config.PatchbaySettings.Limits;

import java.time.Duration;

/**
 * Restricts the settings of a project's file to those that a project may choose. It may define
 * views, since a view only narrows what the file offers; tokens do not use them.
 */
final class ProjectSettings {
    private ProjectSettings() {}

    /**
     * Drops http, stateDir, daemon, history, telemetry and raised limits, with a notice for each.
     */
    static PatchbaySettings restrict(PatchbaySettings settings, ObjectReader written) {
        addNotice(written, "http");
        addNotice(written, "stateDir");
        addNotice(written, "daemon");
        addNotice(written, "history");
        addNotice(written, "telemetry");
        Limits limits = lowered(settings.limits());
        if (!limits.equals(settings.limits())) {
            addNotice(written, "limits");
        }
        return new PatchbaySettings(
                settings.names(),
                Http.DEFAULTS,
                null,
                settings.selfTools(),
                settings.invokeTool(),
                limits,
                settings.logLevel(),
                PatchbaySettings.Daemon.DEFAULTS,
                PatchbaySettings.History.DEFAULTS,
                PatchbaySettings.Telemetry.NONE,
                settings.views());
    }

    private static void addNotice(ObjectReader written, String key) {
        if (written.has(key)) {
            written.addFinding(
                    Kind.IGNORED_SETTING,
                    written.locationOf(key),
                    "A project file cannot set or raise this; ignored",
                    "Set it in your own configuration file");
        }
    }

    private static Limits lowered(Limits limits) {
        Limits most = Limits.DEFAULTS;
        return new Limits(
                Math.min(limits.clientMessageBytesMax(), most.clientMessageBytesMax()),
                Math.min(limits.serverMessageBytesMax(), most.serverMessageBytesMax()),
                Math.min(limits.clientLineBytesMax(), most.clientLineBytesMax()),
                Math.min(limits.pagesMax(), most.pagesMax()),
                Math.min(limits.toolsPerServerMax(), most.toolsPerServerMax()),
                Math.min(limits.requestsPerClientMax(), most.requestsPerClientMax()),
                Math.min(limits.requestsPerServerMax(), most.requestsPerServerMax()),
                Math.min(limits.stderrBytesMax(), most.stderrBytesMax()),
                shorter(limits.shutdownGrace(), most.shutdownGrace()));
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
