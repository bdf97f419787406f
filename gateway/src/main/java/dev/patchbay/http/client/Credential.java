package dev.patchbay.http.client;

import org.jspecify.annotations.Nullable;

/** The credential for one server. It is never sent to another one. */
public interface Credential {
    /**
     * A server's refusal of access.
     *
     * @param status the HTTP status, 401 or 403
     * @param authorization the authorization that was sent; null if there was none
     * @param challenge the server's challenge; empty if there is none
     */
    record Refusal(int status, @Nullable String authorization, String challenge) {
        @Override
        public String toString() {
            return "HTTP " + status; // the authorization is a secret
        }
    }

    /** No credential besides the configured headers. */
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

    /** The current authorization; null if there is none. Never blocks. */
    @Nullable String authorization();

    /** Renews an expired credential. May block. */
    void renewIfExpired() throws InterruptedException;

    /**
     * Called after a refusal: returns whether there is another credential to send now. May block.
     */
    boolean tryRenew(Refusal refusal) throws InterruptedException;

    /** What the user must do after a refusal, as a sentence; empty if nothing helps. */
    String advice(Refusal refusal);

    /** Why the credential could not be renewed; empty if it could or need not be. */
    String renewalError();
}
