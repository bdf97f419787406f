package dev.patchbay.catalog;

import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

/** A family of resources that a server offers, under the server's own URI template. */
public record ResourceTemplate(ServerId server, UriTemplate template, Json definition) {}
