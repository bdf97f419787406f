package dev.patchbay.server;

/** How a trouble with a server showed. */
public enum FailureKind {
    /** Its program could not be started, or its URL is none. */
    START_FAILED,
    /** It ended, or the way to it was lost, before it answered. */
    ENDED_DURING_CONNECT,
    /** It kept silent as long as it was given time. */
    TIMEOUT,
    /** It speaks no version of the protocol that we may speak with it. */
    NO_COMMON_VERSION,
    /** It answered with an error. */
    ERROR_RESPONSE,
    /** It wants somebody to sign in first. */
    UNAUTHORIZED,
    /** It comes from a project's configuration file and the user has not approved it. */
    NOT_TRUSTED,
    /** Its entry in the configuration file has faults. */
    INVALID_CONFIG,
    /** A secret that its configuration refers to is not there. */
    SECRET_MISSING,
    /** Its answer was none. */
    PROTOCOL_ERROR,
    /** It ended after it was connected. */
    ENDED_AFTER_CONNECT,
    /** Anything else. */
    OTHER
}
