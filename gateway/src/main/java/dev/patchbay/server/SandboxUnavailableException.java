package dev.patchbay.server;

import java.io.IOException;

/** A server is not opened, as this machine cannot confine it as its configuration demands. */
public final class SandboxUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param problem what is missing, without a stop
     * @param remedy what to do, without a stop
     */
    public SandboxUnavailableException(String problem, String remedy) {
        super(problem + ". " + remedy);
    }
}
