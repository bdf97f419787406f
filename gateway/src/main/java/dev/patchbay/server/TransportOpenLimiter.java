package dev.patchbay.server;

import dev.patchbay.server.TransportFactory.TransportConnection;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Limits concurrent attempts to open one server. Starting a program can hang in a way that cannot
 * be interrupted, for example on a lost network drive, and each attempt blocks a thread.
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
            throw new IOException(
                    "%d earlier attempts to start it still hang".formatted(CONCURRENT_OPENS_MAX));
        }
        try {
            return transportFactory.open(spec);
        } finally {
            permits.release();
        }
    }
}
