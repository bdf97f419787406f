package dev.patchbay.oauth;

/** Why a sign-in or its renewal failed; the message contains no secrets. */
public final class SignInFailed extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean isPermanent;

    SignInFailed(String why, boolean refused) {
        super(why, null, false, false);
        this.isPermanent = refused;
    }

    SignInFailed(String why) {
        this(why, false);
    }

    /** Whether the authorization server has refused permanently. */
    boolean isPermanent() {
        return isPermanent;
    }

    public String reason() {
        return String.valueOf(getMessage());
    }
}
