package dev.patchbay.oauth.resource;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Requests to authorization servers. */
public interface IssuerHttp {
    /** Sends a request; returns the JSON object of the response, whose status must be 200. */
    Json send(HttpFetcher.Request request) throws IOException, InterruptedException;

    /** Requests over the network. */
    static IssuerHttp overNetwork() {
        return request -> {
            HttpFetcher.Response response = HttpFetcher.send(request);
            if (response.status() != 200) {
                throw new IOException("the response was HTTP " + response.status());
            }
            try {
                Json json = Json.parse(response.body().getBytes(StandardCharsets.UTF_8));
                if (json.isObject()) {
                    return json;
                }
            } catch (JsonException _) {
                // reported below
            }
            throw new IOException("the response is not a JSON object");
        };
    }

    /** Fetches a JSON object. */
    default Json get(URI url) throws IOException, InterruptedException {
        requireSafe(url);
        Map<String, String> headers = Map.of("Accept", "application/json");
        return send(new HttpFetcher.Request("GET", url, List.of(), headers, ""));
    }

    /** Whether a URL may be requested: what is not on this machine needs TLS. */
    static boolean isSafe(URI url) {
        String scheme = String.valueOf(url.getScheme());
        String host = String.valueOf(url.getHost());
        boolean isLoopback =
                host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
        return url.getHost() != null
                && url.getRawUserInfo() == null
                && (scheme.equalsIgnoreCase("https")
                        || (scheme.equalsIgnoreCase("http") && isLoopback));
    }

    /** Fails for a URL that must not be requested. */
    static void requireSafe(URI url) throws IOException {
        if (!isSafe(url)) {
            throw new IOException("the URL is not https");
        }
    }
}
