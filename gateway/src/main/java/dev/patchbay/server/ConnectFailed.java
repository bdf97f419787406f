package dev.patchbay.server;

import dev.patchbay.mcp.Reason;

/** Ends one attempt to connect. */
final class ConnectFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final boolean againAtOnce;

    private ConnectFailed(Reason reason, String why, boolean againAtOnce) {
        super(why, null, false, false);
        this.reason = reason;
        this.againAtOnce = againAtOnce;
    }

    static ConnectFailed because(String why) {
        return new ConnectFailed(Reason.CONNECTION_FAILED, why, false);
    }

    static ConnectFailed late(String why) {
        return new ConnectFailed(Reason.CONNECTION_TIMEOUT, why, false);
    }

    /** The attempt taught us something, and the next one need not wait. */
    static ConnectFailed wiser(String why) {
        return new ConnectFailed(Reason.CONNECTION_FAILED, why, true);
    }

    Reason reason() {
        return reason;
    }

    String why() {
        return String.valueOf(getMessage());
    }

    boolean isAgainAtOnce() {
        return againAtOnce;
    }
}
