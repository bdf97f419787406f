package dev.patchbay.http.client;

import org.jspecify.annotations.Nullable;

/** What one server is shown so that it lets us in, and nobody else is ever shown. */
public interface Credential {
    /**
     * A server's refusal to let us in.
     *
     * @param status the HTTP status, 401 or 403
     * @param authorization the authorization it was shown; null if it was shown none
     * @param challenge what it says that it wants; empty if it does not say
     */
    record Refusal(int status, @Nullable String authorization, String challenge) {
        @Override
        public String toString() {
            return "HTTP " + status; // what was shown is a secret
        }
    }

    /** Nothing but the headers that are configured. */
    Credential NONE =
            new Credential() {
                @Override
                public @Nullable String authorization() {
                    return null;
                }

                @Override
                public void renewIfExpired() {}

                @Override
                public boolean tryRenew(Refusal refusal) {
                    return false;
                }

                @Override
                public String advice(Refusal refusal) {
                    return "";
                }

                @Override
                public String renewalError() {
                    return "";
                }
            };

    /** The authorization to show now; null if there is none. Never waits. */
    @Nullable String authorization();

    /** Renews what has run out. May wait. */
    void renewIfExpired() throws InterruptedException;

    /** Told of a refusal: whether there is something else to show by now. May wait. */
    boolean tryRenew(Refusal refusal) throws InterruptedException;

    /** What a person has to do after a refusal, as a sentence; empty if nobody can help it so. */
    String advice(Refusal refusal);

    /** Why there is nothing newer to show, though there should be; empty if that is not so. */
    String renewalError();
}
