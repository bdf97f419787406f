package dev.patchbay.gateway;

import dev.patchbay.mcp.ErrorReason;

/** Why an operation on the registry was refused. */
public final class GatewayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorReason reason;

    public GatewayException(ErrorReason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public ErrorReason reason() {
        return reason;
    }
}
