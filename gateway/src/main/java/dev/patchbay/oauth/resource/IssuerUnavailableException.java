package dev.patchbay.oauth.resource;

/** An authorization server did not answer, so that a token could not be verified. */
final class IssuerUnavailableException extends Exception {
    IssuerUnavailableException(String message) {
        super(message);
    }
}
