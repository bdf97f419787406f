package dev.patchbay.http.client;

/** The result of probing a URL. */
public sealed interface ProbeResult {
    /** The host name cannot be resolved. */
    record UnknownHost(String host) implements ProbeResult {}

    /** The connection was refused, or there is no route. */
    record ConnectionRefused(String address, String reason) implements ProbeResult {}

    /** No connection within the timeout. */
    record ConnectTimeout(String address) implements ProbeResult {}

    /** Connected, but no response within the timeout. */
    record ResponseTimeout(String address) implements ProbeResult {}

    /**
     * TLS failed.
     *
     * @param certificate a description of the certificate; empty if there was none
     */
    record TlsFailed(String reason, String certificate) implements ProbeResult {}

    /**
     * The URL is http, but the server requires TLS.
     *
     * @param certificate a description of its certificate
     */
    record TlsRequired(String certificate) implements ProbeResult {}

    /** The connection was lost before the response. */
    record Disconnected(String reason) implements ProbeResult {}

    /**
     * There was a response.
     *
     * @param challenge the server's challenge; empty if there is none
     * @param location the target of a redirect; empty if there is none
     * @param bodyStart the start of the body
     */
    record Answered(int status, String type, String challenge, String location, String bodyStart)
            implements ProbeResult {}
}
