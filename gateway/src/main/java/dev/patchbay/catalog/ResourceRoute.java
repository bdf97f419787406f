package dev.patchbay.catalog;

import dev.patchbay.server.ServerId;

/** The server that a URI of a client leads to, and the URI which that server knows. */
public record ResourceRoute(ServerId server, String uri) {}
