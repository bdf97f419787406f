package dev.patchbay.server;

import dev.patchbay.mcp.ErrorReason;

import java.time.Duration;
import java.util.function.UnaryOperator;

/** Ends one attempt to connect. */
final class ConnectFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    /** What to do after the failure. */
    private enum Next {
        RETRY,
        RETRY_IMMEDIATELY,
        /** Another attempt would fail in the same way. */
        GIVE_UP
    }

    private final ErrorReason reason;
    private final FailureKind kind;
    private final Next next;
    private final Duration retryAfter;

    private ConnectFailedException(
            ErrorReason reason, FailureKind kind, String detail, Next next, Duration retryAfter) {
        super(detail, null, false, false);
        this.reason = reason;
        this.kind = kind;
        this.next = next;
        this.retryAfter = retryAfter;
    }

    static ConnectFailedException of(FailureKind kind, String detail) {
        return failed(ErrorReason.CONNECTION_FAILED, kind, detail, Next.RETRY);
    }

    static ConnectFailedException timeout(String detail) {
        return failed(ErrorReason.CONNECTION_TIMEOUT, FailureKind.TIMEOUT, detail, Next.RETRY);
    }

    /** The server requires a sign-in. */
    static ConnectFailedException unauthorized(String detail) {
        return failed(ErrorReason.SIGN_IN_NEEDED, FailureKind.UNAUTHORIZED, detail, Next.GIVE_UP);
    }

    /** The user has not approved the server yet, so it is not started. */
    static ConnectFailedException notTrusted(String detail) {
        return failed(ErrorReason.NOT_TRUSTED, FailureKind.NOT_TRUSTED, detail, Next.GIVE_UP);
    }

    /** The configuration of the server has faults, so it is not started. */
    static ConnectFailedException invalidConfig(String detail) {
        return failed(ErrorReason.INVALID_CONFIG, FailureKind.INVALID_CONFIG, detail, Next.GIVE_UP);
    }

    /** A secret of the server is not there, so it is not started. */
    static ConnectFailedException secretMissing(String detail) {
        return failed(ErrorReason.SECRET_MISSING, FailureKind.SECRET_MISSING, detail, Next.GIVE_UP);
    }

    /** The server cannot be confined as its configuration demands, so it is not started. */
    static ConnectFailedException sandboxUnavailable(String detail) {
        return failed(
                ErrorReason.SANDBOX_UNAVAILABLE,
                FailureKind.SANDBOX_UNAVAILABLE,
                detail,
                Next.GIVE_UP);
    }

    /** The server cannot be started until its configuration or its program changes. */
    static ConnectFailedException permanent(String detail) {
        return failed(
                ErrorReason.CONNECTION_FAILED, FailureKind.START_FAILED, detail, Next.GIVE_UP);
    }

    /** The attempt showed how to connect; the next one need not wait. */
    static ConnectFailedException retryImmediately(String detail) {
        return failed(
                ErrorReason.CONNECTION_FAILED,
                FailureKind.ENDED_DURING_CONNECT,
                detail,
                Next.RETRY_IMMEDIATELY);
    }

    private static ConnectFailedException failed(
            ErrorReason reason, FailureKind kind, String detail, Next next) {
        return new ConnectFailedException(reason, kind, detail, next, Duration.ZERO);
    }

    /** The same failure without the secrets that the server may have repeated. */
    ConnectFailedException masked(UnaryOperator<String> mask) {
        String safe = mask.apply(detail());
        return safe.equals(detail())
                ? this
                : new ConnectFailedException(reason, kind, safe, next, retryAfter);
    }

    /** The same failure, with a wait that the server asked for. */
    ConnectFailedException retryAfter(Duration wait) {
        return wait.isZero()
                ? this
                : new ConnectFailedException(reason, kind, detail(), next, wait);
    }

    /** The least time to wait before the next attempt. */
    Duration retryAfter() {
        return retryAfter;
    }

    /** Whether another attempt would fail in the same way. */
    boolean isPermanent() {
        return next == Next.GIVE_UP;
    }

    boolean shouldRetryImmediately() {
        return next == Next.RETRY_IMMEDIATELY;
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
}
