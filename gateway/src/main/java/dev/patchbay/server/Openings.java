package dev.patchbay.server;

import dev.patchbay.server.Opener.Opened;

import java.io.IOException;
import java.util.concurrent.Semaphore;

/**
 * Opens one server, a few times at once at most. Starting a program can hang where nothing can end
 * it, as on a network drive that is gone, and each time a thread hangs with it.
 */
final class Openings {
    private static final int OPENINGS_MAX = 4;

    private final Opener opener;
    private final Semaphore places = new Semaphore(OPENINGS_MAX);

    Openings(Opener opener) {
        this.opener = opener;
    }

    Opened open(ServerSpec spec) throws IOException {
        if (!places.tryAcquire()) {
            throw new IOException("%d starts of it hang already".formatted(OPENINGS_MAX));
        }
        try {
            return opener.open(spec);
        } finally {
            places.release();
        }
    }
}
