package dev.patchbay.app.wiring;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.config.Configuration;
import dev.patchbay.config.ConfigurationDiff;
import dev.patchbay.config.Finding;
import dev.patchbay.config.read.ConfigWatcher;
import dev.patchbay.gateway.Gateway;

import java.util.List;

/** Applies changes of the configuration file to a running gateway. */
final class ConfigReloader implements ConfigWatcher.Listener {

    private final Gateway gateway;

    ConfigReloader(Gateway gateway) {
        this.gateway = gateway;
    }

    @Override
    public void onChange(Configuration now, ConfigurationDiff diff, List<Finding> findings) {
        findings.forEach(finding -> log().log(finding.isError() ? WARNING : INFO, "{0}", finding));
        diff.removed().forEach(gateway::unregister);
        diff.added().forEach(gateway::register);
        // The gateway alone decides whether a change needs a new connection.
        diff.changed().forEach(change -> gateway.update(change.after()));
        if (diff.settingsChanged()) {
            log().log(
                            WARNING,
                            "Changes of the gateway's own settings take effect at the next start");
        }
        log().log(
                        INFO,
                        "Configuration reloaded: {0} added, {1} removed, {2} changed, {3}"
                                + " untouched",
                        diff.added().size(),
                        diff.removed().size(),
                        diff.changed().size(),
                        diff.unchanged().size());
    }

    @Override
    public void onInvalidFile(List<Finding> findings) {
        findings.stream()
                .filter(Finding::isError)
                .forEach(finding -> log().log(WARNING, "{0}", finding));
        log().log(
                        WARNING,
                        "The configuration file has errors; the previous configuration stays in"
                                + " use");
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ConfigReloader.class.getName());
    }
}
