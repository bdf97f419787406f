package dev.patchbay.server;

import dev.patchbay.jsonrpc.Channel;

import java.io.IOException;

/** Opens the bytes' way to a server: starts its process, or gets ready to post to its URL. */
public interface Opener {
    /** The open way. Closing its channel must end what was opened, the process included. */
    interface Opened {
        Channel channel();

        /** Why the way ended, with exit code and last words where there are any; never a secret. */
        String lastWords();
    }

    Opened open(ServerSpec spec) throws IOException;
}
