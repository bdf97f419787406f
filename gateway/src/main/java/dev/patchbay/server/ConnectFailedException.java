package dev.patchbay.server;

import dev.patchbay.mcp.ErrorReason;

import java.time.Duration;

/** Ends one attempt to connect. */
final class ConnectFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorReason reason;
    private final FailureKind kind;
    private final boolean retriesImmediately;
    private final Duration retryAfter;

    private ConnectFailedException(
            ErrorReason reason,
            FailureKind symptom,
            String why,
            boolean againAtOnce,
            Duration notBefore) {
        super(why, null, false, false);
        this.reason = reason;
        this.kind = symptom;
        this.retriesImmediately = againAtOnce;
        this.retryAfter = notBefore;
    }

    private ConnectFailedException(
            ErrorReason reason, FailureKind symptom, String why, boolean againAtOnce) {
        this(reason, symptom, why, againAtOnce, Duration.ZERO);
    }

    /** The same, with a wait that the server asked for. */
    ConnectFailedException retryAfter(Duration wait) {
        return wait.isZero()
                ? this
                : new ConnectFailedException(reason, kind, detail(), retriesImmediately, wait);
    }

    /** How long the next attempt must wait at least. */
    Duration retryAfter() {
        return retryAfter;
    }

    static ConnectFailedException of(FailureKind symptom, String why) {
        return new ConnectFailedException(ErrorReason.CONNECTION_FAILED, symptom, why, false);
    }

    static ConnectFailedException timeout(String why) {
        return new ConnectFailedException(
                ErrorReason.CONNECTION_TIMEOUT, FailureKind.TIMEOUT, why, false);
    }

    /** It does not let us in, and will not until somebody has signed in. */
    static ConnectFailedException unauthorized(String why) {
        return new ConnectFailedException(
                ErrorReason.SIGN_IN_NEEDED, FailureKind.UNAUTHORIZED, why, false);
    }

    /** The user has not approved the server, so that it must not be opened. */
    static ConnectFailedException notTrusted(String why) {
        return new ConnectFailedException(
                ErrorReason.NOT_TRUSTED, FailureKind.NOT_TRUSTED, why, false);
    }

    /** Whether another attempt would end in the same way. */
    boolean isPermanent() {
        return kind == FailureKind.UNAUTHORIZED || kind == FailureKind.NOT_TRUSTED;
    }

    /** The attempt taught us something, and the next one need not wait. */
    static ConnectFailedException retryImmediately(String why) {
        return new ConnectFailedException(
                ErrorReason.CONNECTION_FAILED, FailureKind.ENDED_DURING_CONNECT, why, true);
    }

    FailureKind kind() {
        return kind;
    }

    ErrorReason reason() {
        return reason;
    }

    String detail() {
        return String.valueOf(getMessage());
    }

    boolean shouldRetryImmediately() {
        return retriesImmediately;
    }
}
