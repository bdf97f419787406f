package dev.patchbay.dashboard;

import dev.patchbay.doctor.Doctor;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.http.WebPart;

import java.time.InstantSource;
import java.util.Map;
import java.util.function.IntSupplier;

/** The dashboard of a gateway, and its metrics. From when it is made on, it observes. */
public final class Dashboard implements AutoCloseable {
    private final Observatory observatory;
    private final Feed feed;
    private final Views views;
    private final IntSupplier sessions;
    private final Doctor doctor;

    /**
     * @param doctor whom the page asks what is wrong with a server
     * @param sessions how many clients have a session now
     */
    public Dashboard(Gateway gateway, InstantSource clock, Doctor doctor, IntSupplier sessions) {
        this.observatory = new Observatory(gateway, clock);
        this.views = new Views(observatory);
        this.feed = new Feed(observatory, views);
        this.sessions = sessions;
        this.doctor = doctor;
    }

    /** What is to be served, by path. */
    public Map<String, WebPart> parts() {
        return Map.of(
                "/", new Pages(),
                "/api", new Api(observatory, views, feed, doctor, sessions),
                "/metrics", new Metrics(observatory, sessions));
    }

    @Override
    public void close() {
        feed.close();
    }
}
