package dev.patchbay.server;

import dev.patchbay.mcp.Reason;

import java.time.Duration;

/** Ends one attempt to connect. */
final class ConnectFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final Reason reason;
    private final Symptom symptom;
    private final boolean againAtOnce;
    private final Duration notBefore;

    private ConnectFailed(
            Reason reason, Symptom symptom, String why, boolean againAtOnce, Duration notBefore) {
        super(why, null, false, false);
        this.reason = reason;
        this.symptom = symptom;
        this.againAtOnce = againAtOnce;
        this.notBefore = notBefore;
    }

    private ConnectFailed(Reason reason, Symptom symptom, String why, boolean againAtOnce) {
        this(reason, symptom, why, againAtOnce, Duration.ZERO);
    }

    /** The same, with a wait that the server asked for. */
    ConnectFailed notBefore(Duration wait) {
        return wait.isZero() ? this : new ConnectFailed(reason, symptom, why(), againAtOnce, wait);
    }

    /** How long the next attempt must wait at least. */
    Duration notBefore() {
        return notBefore;
    }

    static ConnectFailed because(Symptom symptom, String why) {
        return new ConnectFailed(Reason.CONNECTION_FAILED, symptom, why, false);
    }

    static ConnectFailed late(String why) {
        return new ConnectFailed(Reason.CONNECTION_TIMEOUT, Symptom.SILENT, why, false);
    }

    /** It does not let us in, and will not until somebody has signed in. */
    static ConnectFailed unauthorized(String why) {
        return new ConnectFailed(Reason.SIGN_IN_NEEDED, Symptom.NOT_LET_IN, why, false);
    }

    /** Whether another attempt would end in the same way. */
    boolean isFinal() {
        return symptom == Symptom.NOT_LET_IN;
    }

    /** The attempt taught us something, and the next one need not wait. */
    static ConnectFailed wiser(String why) {
        return new ConnectFailed(Reason.CONNECTION_FAILED, Symptom.ENDED, why, true);
    }

    Symptom symptom() {
        return symptom;
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
