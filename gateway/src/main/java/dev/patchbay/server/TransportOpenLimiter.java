package dev.patchbay.server;

import dev.patchbay.server.TransportFactory.TransportConnection;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Opens one server, a few times at once at most. Starting a program can hang where nothing can end
 * it, as on a network drive that is gone, and each time a thread hangs with it.
 */
final class TransportOpenLimiter {
    private static final int CONCURRENT_OPENS_MAX = 4;

    private final TransportFactory transportFactory;
    private final Semaphore permits = new Semaphore(CONCURRENT_OPENS_MAX);

    TransportOpenLimiter(TransportFactory opener) {
        this.transportFactory = opener;
    }

    TransportConnection open(ServerSpec spec) throws IOException {
        if (!permits.tryAcquire()) {
            throw new IOException("%d starts of it hang already".formatted(CONCURRENT_OPENS_MAX));
        }
        try {
            return transportFactory.open(spec);
        } finally {
            permits.release();
        }
    }
}
