package dev.patchbay.app;

import dev.patchbay.server.Opener;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.stdio.Janitor;

import java.io.IOException;

/** Opens each server in the way its transport wants. */
final class Openers implements Opener {
    private final Opener processes;

    Openers(Janitor janitor) {
        processes = new ProcessOpener(janitor);
    }

    @Override
    public Opened open(ServerSpec spec) throws IOException {
        return switch (spec.transport()) {
            case Transport.Stdio _ -> processes.open(spec);
            case Transport.Http _, Transport.Sse _ ->
                    throw new IOException("Servers over HTTP cannot be reached yet");
        };
    }
}
