package dev.patchbay.server;

import java.util.concurrent.Semaphore;

/**
 * Lets a few servers start at a time, so that many together do not all miss their deadlines. A
 * place is held until the server is connected, but only as long as it is really at work.
 */
public final class StartGate {
    public static final int PLACES = 4;

    private final Semaphore places;

    public StartGate(int places) {
        this.places = new Semaphore(places, true);
    }

    int free() {
        return places.availablePermits();
    }
}
