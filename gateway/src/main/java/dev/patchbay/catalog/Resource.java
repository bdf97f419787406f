package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

/** A resource that a server offers, under the server's own URI. */
public record Resource(ServerId server, String uri, Json definition) {}
