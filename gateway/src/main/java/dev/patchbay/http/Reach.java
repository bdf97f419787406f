package dev.patchbay.http;

/** How far a probe got towards a server. */
public sealed interface Reach {
    /** No address is known for the name. */
    record UnknownHost(String host) implements Reach {}

    /** Nothing listens there, or there is no way to it. */
    record Refused(String address, String why) implements Reach {}

    /** Nobody answered in time. */
    record Silent(String address) implements Reach {}

    /** The connection was taken, but the request was not answered in time. */
    record Unanswered(String address) implements Reach {}

    /**
     * The connection could not be made safe.
     *
     * @param certificate what the certificate says; empty if none was shown
     */
    record NoTls(String why, String certificate) implements Reach {}

    /**
     * The URL says that there is no TLS, but there is.
     *
     * @param certificate what the certificate says that is shown there
     */
    record WantsTls(String certificate) implements Reach {}

    /** The connection was lost before the answer. */
    record Cut(String why) implements Reach {}

    /**
     * An answer came, of whatever kind.
     *
     * @param challenge what the server wants to be shown; empty if it does not say
     * @param location where it sends us instead; empty if it does not
     * @param start the start of the body
     */
    record Answered(int status, String type, String challenge, String location, String start)
            implements Reach {}
}
