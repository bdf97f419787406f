package dev.patchbay.server;

/** Says why there is no link to a server. Nothing was sent to it. */
public final class ServerUnavailable extends Exception {
    private static final long serialVersionUID = 1L;

    private final ServerId server;
    private final transient Trouble trouble;

    public ServerUnavailable(ServerId server, Trouble trouble) {
        super(trouble.message(), null, false, false);
        this.server = server;
        this.trouble = trouble;
    }

    public ServerId server() {
        return server;
    }

    public Trouble trouble() {
        return trouble;
    }
}
