package dev.patchbay.http.client;

import dev.patchbay.http.client.wire.HttpSender;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.function.Supplier;

/**
 * Sends requests to one server with its credential. A request that was refused because of an
 * expired credential was not processed, so it may be sent once more.
 */
final class AuthorizedSender {
    static final String AUTHORIZATION = "Authorization";

    private final HttpSender sender;
    private final Credential credential;
    private volatile boolean wasAuthorized;

    AuthorizedSender(HttpSender sender, Credential credential) {
        this.sender = sender;
        this.credential = credential;
    }

    /** Sends a request, which is created again if it must be repeated. */
    HttpSender.Response send(Supplier<HttpSender.Request> asks)
            throws IOException, InterruptedException {
        credential.renewIfExpired();
        HttpSender.Request ask = asks.get();
        HttpSender.Response answer = sender.send(ask);
        Credential.Refusal refusal = toRefusal(ask.headers().get(AUTHORIZATION), answer);
        if (refusal == null) {
            wasAuthorized |= ask.headers().containsKey(AUTHORIZATION);
            return answer;
        }
        if (!credential.tryRenew(refusal)) {
            return answer;
        }
        answer.close();
        return sender.send(asks.get());
    }

    /** Whether the server has accepted a credential before. */
    boolean hasBeenAuthorized() {
        return wasAuthorized;
    }

    /** What the user must do to get access; empty if access is not the problem. */
    String advice(HttpSender.Response answer) {
        Credential.Refusal refusal = toRefusal(credential.authorization(), answer);
        return refusal == null ? "" : credential.advice(refusal);
    }

    /** Adds to a text why the credential could not be renewed, if that is known. */
    String withRenewalError(String text) {
        String failure = credential.renewalError();
        return failure.isEmpty() ? text : text + "; the sign-in could not be renewed: " + failure;
    }

    /** The refusal in a response; null if it is not one. */
    private static Credential.@Nullable Refusal toRefusal(
            @Nullable String shown, HttpSender.Response answer) {
        if (answer.status() != 401 && answer.status() != 403) {
            return null;
        }
        return new Credential.Refusal(
                answer.status(), shown, answer.joinedHeader("WWW-Authenticate"));
    }
}
