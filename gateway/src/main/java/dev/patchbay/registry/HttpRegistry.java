package dev.patchbay.registry;

import dev.patchbay.http.client.HttpDownload;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A registry with the API of the official one, version 0.1. */
public final class HttpRegistry implements RegistrySource {
    /** The official registry. */
    public static final String OFFICIAL = "https://registry.modelcontextprotocol.io";

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PAGE_BYTES_MAX = 16 << 20;
    private static final int PAGE_ENTRIES = 100;
    private static final int PAGES_MAX = 500;

    private final String base;

    private HttpRegistry(String base) {
        this.base = base;
    }

    /** The registry at a base URL, such as {@link #OFFICIAL}. */
    public static HttpRegistry at(String url) throws RegistryException {
        if (!url.matches("https?://[^\\s?#]+")) {
            throw new RegistryException("'%s' is not the URL of a registry".formatted(url));
        }
        return new HttpRegistry(url.replaceFirst("/+$", "").replaceFirst("/v0(\\.1)?$", ""));
    }

    /** The registry searches in names only, for one text; the other words are checked here. */
    @Override
    public List<Json> search(List<String> words, int max)
            throws RegistryException, InterruptedException {
        String longest = words.stream().max(Comparator.comparingInt(String::length)).orElse("");
        var found = new ArrayList<Json>();
        String cursor = "";
        for (int page = 0; page < PAGES_MAX && found.size() < max; page++) {
            Json list =
                    get(
                            "/v0.1/servers?version=latest&limit="
                                    + PAGE_ENTRIES
                                    + (longest.isEmpty() ? "" : "&search=" + encode(longest))
                                    + (cursor.isEmpty() ? "" : "&cursor=" + encode(cursor)));
            Json servers = list.isObject() ? list.member("servers") : null;
            if (servers == null || !servers.isArray()) {
                throw new RegistryException(base + " does not answer like a registry");
            }
            for (Json entry : servers.elements()) {
                if (found.size() < max && RegistryMirror.matches(entry, words)) {
                    found.add(entry);
                }
            }
            cursor = SchemaNames.text(SchemaNames.object(list, "metadata"), "nextCursor");
            if (cursor.isEmpty()) {
                break;
            }
        }
        return found;
    }

    @Override
    public RegistryEntry find(String name, @Nullable String version)
            throws RegistryException, InterruptedException {
        String path =
                "/v0.1/servers/"
                        + encode(name)
                        + "/versions/"
                        + encode(version == null ? "latest" : version);
        RegistryEntry entry = RegistryEntry.read(get(path));
        if (!entry.name().equals(name)) {
            throw new RegistryException(
                    "%s answered with another server: %s"
                            .formatted(base, DisplayText.escape(entry.name())));
        }
        return entry;
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private Json get(String path) throws RegistryException, InterruptedException {
        var body = new ByteArrayOutputStream();
        int status;
        try {
            var source =
                    new HttpDownload.Source(
                            URI.create(base + path), "application/json", PAGE_BYTES_MAX, TIMEOUT);
            status = HttpDownload.get(source, body);
        } catch (IOException e) {
            throw new RegistryException(
                    ("The registry %s cannot be reached: %s. Without a network, use a file:"
                                    + " --registry FILE")
                            .formatted(base, DisplayText.message(String.valueOf(e.getMessage()))));
        }
        if (status == 404) {
            throw new RegistryException("There is no such server in the registry " + base);
        }
        if (status != 200) {
            throw new RegistryException(
                    "The registry %s answered with status %d".formatted(base, status));
        }
        try {
            return Json.parse(body.toByteArray());
        } catch (JsonException e) {
            throw new RegistryException(base + " did not answer with JSON: " + e.reason());
        }
    }
}
