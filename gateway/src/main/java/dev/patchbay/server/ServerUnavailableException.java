package dev.patchbay.server;

/** There is no session with the server. Nothing was sent. */
public final class ServerUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ServerId server;
    private final transient ServerFailure failure;

    public ServerUnavailableException(ServerId server, ServerFailure trouble) {
        super(trouble.message(), null, false, false);
        this.server = server;
        this.failure = trouble;
    }

    public ServerId server() {
        return server;
    }

    public ServerFailure failure() {
        return failure;
    }
}
