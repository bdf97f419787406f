package dev.patchbay.registry;

import dev.patchbay.http.client.HttpDownload;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.text.DisplayText;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a server over HTTP says about itself beside its endpoint, before anybody connects (draft
 * SEP-2127). Nobody has checked it: it describes the server, and which headers it wants, but it
 * cannot name another server to connect to.
 *
 * @param entry the card, which has the members of an entry of the registry
 * @param launch the URL that the user gave, with the headers that the card declares for it
 * @param protocolVersions the versions that the card declares for the URL; empty if it has none
 */
public record ServerCard(
        RegistryEntry entry, LaunchTemplate launch, List<String> protocolVersions) {
    private static final String TYPE = "application/mcp-server-card+json";
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int BYTES_MAX = 1 << 20;

    public ServerCard {
        protocolVersions = List.copyOf(protocolVersions);
    }

    /** Reads the card of the server at a URL. */
    public static ServerCard fetch(String url) throws RegistryException, InterruptedException {
        URI location = location(url);
        var body = new ByteArrayOutputStream();
        int status;
        try {
            status =
                    HttpDownload.get(
                            new HttpDownload.Source(location, TYPE, BYTES_MAX, TIMEOUT), body);
        } catch (IOException e) {
            throw new RegistryException(
                    "%s cannot be read: %s"
                            .formatted(
                                    location, DisplayText.message(String.valueOf(e.getMessage()))));
        }
        if (status != 200) {
            throw new RegistryException(
                    "The server has no card: %s answered with status %d. Leave out --card"
                            .formatted(location, status));
        }
        try {
            return read(Json.parse(body.toByteArray()), url);
        } catch (JsonException e) {
            throw new RegistryException(location + " is not JSON: " + e.reason());
        }
    }

    private static URI location(String url) throws RegistryException {
        try {
            var endpoint = new URI(url);
            if (endpoint.getHost() != null && endpoint.getRawPath() != null) {
                String path = endpoint.getRawPath().replaceFirst("/+$", "") + "/server-card";
                return new URI(endpoint.getScheme() + "://" + endpoint.getRawAuthority() + path);
            }
        } catch (URISyntaxException _) {
            // reported below
        }
        throw new RegistryException("'%s' is not the URL of a server".formatted(url));
    }

    /** Reads a card that the server at this URL has sent. */
    static ServerCard read(Json card, String url) throws RegistryException {
        RegistryEntry entry = RegistryEntry.read(card);
        for (Json remote : entry.remotes()) {
            if (withoutSlash(SchemaNames.text(remote, "url")).equals(withoutSlash(url))) {
                List<String> versions =
                        SchemaNames.list(remote, "supportedProtocolVersions").stream()
                                .filter(Json::isString)
                                .map(Json::text)
                                .toList();
                return new ServerCard(entry, LaunchChooser.remote(remote), versions);
            }
        }
        var plain = new LaunchTemplate.Remote("http", ValueTemplate.literal(url), Map.of());
        return new ServerCard(entry, plain, List.of());
    }

    private static String withoutSlash(String url) {
        return url.replaceFirst("/+$", "");
    }
}
