package dev.patchbay.app.wiring;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.config.Configuration;
import dev.patchbay.config.ConfigurationDiff;
import dev.patchbay.config.Finding;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.read.ConfigWatcher;
import dev.patchbay.gateway.Gateway;

import java.util.List;
import java.util.function.UnaryOperator;

/** Applies changes of the configuration file to a running gateway. */
final class ConfigReloader implements ConfigWatcher.Listener {

    private final Gateway gateway;
    private final UnaryOperator<Configuration> restriction;
    private Configuration active;

    /**
     * Creates a reloader.
     *
     * @param active the configuration that the gateway has
     * @param restriction reduces a configuration to what the gateway uses of it
     */
    ConfigReloader(
            Gateway gateway, Configuration active, UnaryOperator<Configuration> restriction) {
        this.gateway = gateway;
        this.restriction = restriction;
        this.active = restriction.apply(active);
    }

    @Override
    public void onChange(Configuration now, ConfigurationDiff all, List<Finding> findings) {
        Configuration next = restriction.apply(now);
        ConfigurationDiff diff = ConfigurationDiff.between(active, next);
        PatchbaySettings before = active.settings();
        active = next;
        findings.forEach(finding -> log().log(finding.isError() ? WARNING : INFO, "{0}", finding));
        if (!before.views().equals(now.settings().views())) {
            gateway.defineViews(now.settings().views());
        }
        diff.removed().forEach(gateway::unregister);
        diff.added().forEach(gateway::register);
        // The gateway alone decides whether a change needs a new connection.
        diff.changed().forEach(change -> gateway.update(change.after()));
        if (!before.withViews(now.settings().views()).equals(now.settings())) {
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
