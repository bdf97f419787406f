package dev.patchbay.server;

/** How a trouble with a server showed. */
public enum Symptom {
    /** Its program could not be started, or its URL is none. */
    NOT_STARTED,
    /** It ended, or the way to it was lost, before it answered. */
    ENDED,
    /** It kept silent as long as it was given time. */
    SILENT,
    /** It speaks no version of the protocol that we may speak with it. */
    NO_COMMON_VERSION,
    /** It answered with an error. */
    REFUSED,
    /** It wants somebody to sign in first. */
    NOT_LET_IN,
    /** Its answer was none. */
    ANSWERED_WRONGLY,
    /** It ended after it was connected. */
    ENDED_LATER,
    /** Anything else. */
    OTHER
}
