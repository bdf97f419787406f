package dev.patchbay.http.client;

import dev.patchbay.http.client.wire.HttpSender;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.function.Supplier;

/**
 * Sends requests to one server with its credential. A request that was refused for want of a newer
 * one was not served, so that it may be sent once more.
 */
final class AuthorizedSender {
    static final String AUTHORIZATION = "Authorization";

    private final HttpSender sender;
    private final Credential credential;
    private volatile boolean wasAuthorized;

    AuthorizedSender(HttpSender wire, Credential credential) {
        this.sender = wire;
        this.credential = credential;
    }

    /** Sends what is asked; it is made anew if it must be sent again. */
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

    /** Whether the server has ever taken a credential over this way. */
    boolean hasBeenAuthorized() {
        return wasAuthorized;
    }

    /** What a person has to do so that the server lets us in; empty if that is not the matter. */
    String advice(HttpSender.Response answer) {
        Credential.Refusal refusal = toRefusal(credential.authorization(), answer);
        return refusal == null ? "" : credential.advice(refusal);
    }

    /** A text about an answer, with why nothing better could be shown, if that is known. */
    String withRenewalError(String text) {
        String trouble = credential.renewalError();
        return trouble.isEmpty() ? text : text + "; the sign-in could not be renewed: " + trouble;
    }

    /** The refusal that an answer is; null if it is none. */
    private static Credential.@Nullable Refusal toRefusal(
            @Nullable String shown, HttpSender.Response answer) {
        if (answer.status() != 401 && answer.status() != 403) {
            return null;
        }
        String challenge = answer.header("WWW-Authenticate");
        return new Credential.Refusal(answer.status(), shown, challenge == null ? "" : challenge);
    }
}
