package dev.patchbay.oauth;

import dev.patchbay.http.Fetch;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Fetches documents from the places that a server may send us to. */
final class Web {
    private static final String JSON = "application/json";

    private final Places places;

    Web(Places places) {
        this.places = places;
    }

    Places places() {
        return places;
    }

    /** The JSON object at a URL; null if there is none. */
    @Nullable Json document(String url) throws SignInFailed, InterruptedException {
        var ask = new Fetch.Ask("GET", places.checked(url), Map.of("Accept", JSON), "");
        Fetch.Answer answer = send(ask);
        return answer.status() == 200 ? object(answer) : null;
    }

    /** The answer to what is posted; where it goes was checked before. */
    Fetch.Answer post(URI url, Map<String, String> headers, String body)
            throws SignInFailed, InterruptedException {
        return send(new Fetch.Ask("POST", places.checked(url.toString()), headers, body));
    }

    private static Fetch.Answer send(Fetch.Ask ask) throws SignInFailed, InterruptedException {
        try {
            return Fetch.send(ask);
        } catch (IOException e) {
            String why = Shown.of(String.valueOf(e.getMessage()));
            throw new SignInFailed("%s could not be asked: %s".formatted(host(ask.url()), why));
        }
    }

    static String host(URI url) {
        return Shown.of(url.getScheme() + "://" + url.getAuthority());
    }

    /** The object that an answer is; null if it is none. */
    static @Nullable Json object(Fetch.Answer answer) {
        try {
            Json json = Json.parse(answer.body().getBytes(StandardCharsets.UTF_8));
            return json.isObject() ? json : null;
        } catch (JsonException _) {
            return null;
        }
    }
}
