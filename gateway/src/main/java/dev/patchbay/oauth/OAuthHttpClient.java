package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Sends the HTTP requests of a sign-in, to URLs that the policy allows. */
final class OAuthHttpClient {
    private static final String JSON = "application/json";

    private final UrlPolicy urlPolicy;

    OAuthHttpClient(UrlPolicy urlPolicy) {
        this.urlPolicy = urlPolicy;
    }

    UrlPolicy urlPolicy() {
        return urlPolicy;
    }

    /** Fetches the JSON object at a URL; null if there is none. */
    @Nullable Json fetchJson(String url) throws SignInFailed, InterruptedException {
        UrlPolicy.CheckedUrl checked = urlPolicy.requireAllowed(url);
        HttpFetcher.Response response = send("GET", checked, Map.of("Accept", JSON), "");
        return response.status() == 200 ? parseObject(response) : null;
    }

    /**
     * Posts to a URL, which is checked again because its host may resolve to other addresses now.
     */
    HttpFetcher.Response post(URI url, Map<String, String> headers, String body)
            throws SignInFailed, InterruptedException {
        return send("POST", urlPolicy.requireAllowed(url.toString()), headers, body);
    }

    /** Posts to the server itself. */
    HttpFetcher.Response postToServer(Map<String, String> headers, String body)
            throws SignInFailed, InterruptedException {
        return send("POST", urlPolicy.server(), headers, body);
    }

    private static HttpFetcher.Response send(
            String method, UrlPolicy.CheckedUrl to, Map<String, String> headers, String body)
            throws SignInFailed, InterruptedException {
        try {
            return HttpFetcher.send(
                    new HttpFetcher.Request(method, to.url(), to.addresses(), headers, body));
        } catch (IOException e) {
            String why = DisplayText.message(String.valueOf(e.getMessage()));
            throw new SignInFailed(
                    "The request to %s failed: %s".formatted(describe(to.url()), why));
        }
    }

    static String describe(URI url) {
        return DisplayText.message(url.getScheme() + "://" + url.getAuthority());
    }

    /** The JSON object in a response; null if it is not one. */
    static @Nullable Json parseObject(HttpFetcher.Response answer) {
        try {
            Json json = Json.parse(answer.body().getBytes(StandardCharsets.UTF_8));
            return json.isObject() ? json : null;
        } catch (JsonException _) {
            return null;
        }
    }
}
