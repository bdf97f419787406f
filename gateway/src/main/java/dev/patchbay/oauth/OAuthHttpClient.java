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

/** Fetches documents from the places that a server may send us to. */
final class OAuthHttpClient {
    private static final String JSON = "application/json";

    private final UrlPolicy urlPolicy;

    OAuthHttpClient(UrlPolicy places) {
        this.urlPolicy = places;
    }

    UrlPolicy urlPolicy() {
        return urlPolicy;
    }

    /** The JSON object at a URL; null if there is none. */
    @Nullable Json fetchJson(String url) throws SignInFailed, InterruptedException {
        var ask =
                new HttpFetcher.Request(
                        "GET", urlPolicy.requireAllowed(url), Map.of("Accept", JSON), "");
        HttpFetcher.Response answer = send(ask);
        return answer.status() == 200 ? parseObject(answer) : null;
    }

    /** The answer to what is posted; where it goes was checked before. */
    HttpFetcher.Response post(URI url, Map<String, String> headers, String body)
            throws SignInFailed, InterruptedException {
        return send(
                new HttpFetcher.Request(
                        "POST", urlPolicy.requireAllowed(url.toString()), headers, body));
    }

    private static HttpFetcher.Response send(HttpFetcher.Request ask)
            throws SignInFailed, InterruptedException {
        try {
            return HttpFetcher.send(ask);
        } catch (IOException e) {
            String why = DisplayText.message(String.valueOf(e.getMessage()));
            throw new SignInFailed("%s could not be asked: %s".formatted(describe(ask.url()), why));
        }
    }

    static String describe(URI url) {
        return DisplayText.message(url.getScheme() + "://" + url.getAuthority());
    }

    /** The object that an answer is; null if it is none. */
    static @Nullable Json parseObject(HttpFetcher.Response answer) {
        try {
            Json json = Json.parse(answer.body().getBytes(StandardCharsets.UTF_8));
            return json.isObject() ? json : null;
        } catch (JsonException _) {
            return null;
        }
    }
}
