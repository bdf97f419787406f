package dev.patchbay.gateway;

import dev.patchbay.mcp.Reason;

/** Says why an operation on the registry was refused. */
public final class GatewayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public GatewayException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
