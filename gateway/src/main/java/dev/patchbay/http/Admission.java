package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.util.function.Supplier;

/**
 * Sends requests to one server with its credential. A request that was refused for want of a newer
 * one was not served, so that it may be sent once more.
 */
final class Admission {
    static final String AUTHORIZATION = "Authorization";

    private final Wire wire;
    private final Credential credential;
    private volatile boolean letIn;

    Admission(Wire wire, Credential credential) {
        this.wire = wire;
        this.credential = credential;
    }

    /** Sends what is asked; it is made anew if it must be sent again. */
    Wire.Answer send(Supplier<Wire.Ask> asks) throws IOException, InterruptedException {
        credential.prepare();
        Wire.Ask ask = asks.get();
        Wire.Answer answer = wire.send(ask);
        Credential.Refusal refusal = refusal(ask.headers().get(AUTHORIZATION), answer);
        if (refusal == null) {
            letIn |= ask.headers().containsKey(AUTHORIZATION);
            return answer;
        }
        if (!credential.renewed(refusal)) {
            return answer;
        }
        answer.close();
        return wire.send(asks.get());
    }

    /** Whether the server has ever taken a credential over this way. */
    boolean wasLetIn() {
        return letIn;
    }

    /** What a person has to do so that the server lets us in; empty if that is not the matter. */
    String advice(Wire.Answer answer) {
        Credential.Refusal refusal = refusal(credential.current(), answer);
        return refusal == null ? "" : credential.advice(refusal);
    }

    /** A text about an answer, with why nothing better could be shown, if that is known. */
    String explained(String text) {
        String trouble = credential.trouble();
        return trouble.isEmpty() ? text : text + "; the sign-in could not be renewed: " + trouble;
    }

    /** The refusal that an answer is; null if it is none. */
    private static Credential.@Nullable Refusal refusal(
            @Nullable String shown, Wire.Answer answer) {
        if (answer.status() != 401 && answer.status() != 403) {
            return null;
        }
        String challenge = answer.header("WWW-Authenticate");
        return new Credential.Refusal(answer.status(), shown, challenge == null ? "" : challenge);
    }
}
