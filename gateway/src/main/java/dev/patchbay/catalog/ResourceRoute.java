package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

/** The server that serves a resource, and the URI by which that server knows it. */
public record ResourceRoute(ServerId server, String uri) {
    /** The longest URI that is routed, subscribed or reported as updated. */
    public static final int URI_CHARS_MAX = 8_192;
}
