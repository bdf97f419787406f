package dev.patchbay.http.client;

/** How far a probe got towards a server. */
public sealed interface ProbeResult {
    /** No address is known for the name. */
    record UnknownHost(String host) implements ProbeResult {}

    /** Nothing listens there, or there is no way to it. */
    record ConnectionRefused(String address, String reason) implements ProbeResult {}

    /** Nobody answered in time. */
    record ConnectTimeout(String address) implements ProbeResult {}

    /** The connection was taken, but the request was not answered in time. */
    record ResponseTimeout(String address) implements ProbeResult {}

    /**
     * The connection could not be made safe.
     *
     * @param certificate what the certificate says; empty if none was shown
     */
    record TlsFailed(String reason, String certificate) implements ProbeResult {}

    /**
     * The URL says that there is no TLS, but there is.
     *
     * @param certificate what the certificate says that is shown there
     */
    record TlsRequired(String certificate) implements ProbeResult {}

    /** The connection was lost before the answer. */
    record Disconnected(String reason) implements ProbeResult {}

    /**
     * An answer came, of whatever kind.
     *
     * @param challenge what the server wants to be shown; empty if it does not say
     * @param location where it sends us instead; empty if it does not
     * @param bodyStart the start of the body
     */
    record Answered(int status, String type, String challenge, String location, String bodyStart)
            implements ProbeResult {}
}
