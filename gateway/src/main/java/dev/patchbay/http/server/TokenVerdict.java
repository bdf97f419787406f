package dev.patchbay.http.server;

/** The outcome of the verification of a token. The reasons are shown to the client. */
public sealed interface TokenVerdict {
    /** The token is valid. */
    record Accepted(Principal principal) implements TokenVerdict {}

    /** The token is not valid; another one may be. */
    record Invalid(String reason) implements TokenVerdict {}

    /** The token is valid, but whoever it belongs to has no access. */
    record Forbidden(String reason) implements TokenVerdict {}

    /** The token cannot be verified now. */
    record Unavailable(String reason) implements TokenVerdict {}
}
