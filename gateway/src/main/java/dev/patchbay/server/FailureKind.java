package dev.patchbay.server;

/** The kinds of server failures. */
public enum FailureKind {
    /** The program could not be started, or the URL is not valid. */
    START_FAILED,
    /** The server exited, or the connection was lost, before it answered. */
    ENDED_DURING_CONNECT,
    /** The server did not answer in time. */
    TIMEOUT,
    /** The server supports no MCP version that is allowed for it. */
    NO_COMMON_VERSION,
    /** The server answered with an error. */
    ERROR_RESPONSE,
    /** The server requires sign-in. */
    UNAUTHORIZED,
    /** The server comes from a project's configuration file and is not approved. */
    NOT_TRUSTED,
    /** Its entry in the configuration file has faults. */
    INVALID_CONFIG,
    /** A secret that its configuration refers to is not there. */
    SECRET_MISSING,
    /** This machine cannot confine it as its configuration demands. */
    SANDBOX_UNAVAILABLE,
    /** Its answer was none. */
    PROTOCOL_ERROR,
    /** The server ended after it was connected. */
    ENDED_AFTER_CONNECT,
    /** Anything else. */
    OTHER
}
