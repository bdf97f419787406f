package dev.patchbay.dashboard;

import dev.patchbay.doctor.Doctor;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.http.server.HttpRoute;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The dashboard of a gateway and its metrics. It observes calls from its creation on. */
public final class Dashboard implements AutoCloseable {
    private final CallStatistics statistics;
    private final LiveUpdates liveUpdates;
    private final DashboardJson dashboardJson;
    private final IntSupplier sessionCount;
    private final Doctor doctor;

    /**
     * @param doctor diagnoses servers for the page
     * @param secrets the secrets that servers were given, which are never shown
     * @param sessions the number of open client sessions
     */
    public Dashboard(
            Gateway gateway,
            InstantSource clock,
            Doctor doctor,
            Supplier<Set<String>> secrets,
            IntSupplier sessions) {
        this.statistics = new CallStatistics(gateway, clock);
        this.dashboardJson = new DashboardJson(statistics, secrets);
        this.liveUpdates = new LiveUpdates(statistics, dashboardJson);
        this.sessionCount = sessions;
        this.doctor = doctor;
    }

    /**
     * Sets where traces are shown.
     *
     * @param template a URL with {@code {traceId}} for the id of the trace; null for none
     */
    public void linkTraces(@Nullable String template) {
        dashboardJson.linkTraces(template);
    }

    /** The routes to serve, by path. */
    public Map<String, HttpRoute> routes() {
        return Map.of(
                "/", new StaticFiles(),
                "/api",
                        new DashboardApi(
                                statistics, dashboardJson, liveUpdates, doctor, sessionCount),
                "/metrics", new MetricsEndpoint(statistics, sessionCount));
    }

    @Override
    public void close() {
        liveUpdates.close();
    }
}
