package dev.patchbay.repl.maven;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The search of Maven Central, by its public interface.
 *
 * @param base where it is, such as {@code https://search.maven.org}
 */
public record CentralSearch(URI base, Duration timeout) {
    private static final int ANSWER_BYTES_MAX = 4 * 1024 * 1024;

    /** An artifact that the search found. */
    public record Hit(String coordinate, String latestVersion, long versions) {}

    /** What was found, and how many there are in all. */
    public record Hits(List<Hit> hits, long total) {
        public Hits {
            hits = List.copyOf(hits);
        }
    }

    /** The artifacts that fit words. */
    public Hits search(List<String> words, int countMax) throws IOException, InterruptedException {
        String query = URLEncoder.encode(String.join(" ", words), StandardCharsets.UTF_8);
        URI uri =
                URI.create(
                        base.toString().replaceAll("/+$", "")
                                + "/solrsearch/select?wt=json&rows="
                                + countMax
                                + "&q="
                                + query);
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .timeout(timeout)
                        .header("Accept", "application/json")
                        .build();
        try (HttpClient client =
                HttpClient.newBuilder()
                        .connectTimeout(timeout)
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build()) {
            HttpResponse<InputStream> response =
                    client.send(request, HttpResponse.BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                if (response.statusCode() != 200) {
                    throw new IOException("it answered with status " + response.statusCode());
                }
                return parse(body.readNBytes(ANSWER_BYTES_MAX));
            } finally {
                client.shutdownNow();
            }
        }
    }

    private static Hits parse(byte[] answer) throws IOException {
        try {
            Json response = Json.parse(answer).member("response");
            Json docs = response == null ? null : response.member("docs");
            if (response == null || docs == null || !docs.isArray()) {
                throw new IOException("its answer has no results");
            }
            var hits = new ArrayList<Hit>();
            for (Json doc : docs.elements()) {
                hits.add(
                        new Hit(
                                text(doc, "g") + ":" + text(doc, "a"),
                                text(doc, "latestVersion"),
                                number(doc, "versionCount")));
            }
            return new Hits(hits, number(response, "numFound"));
        } catch (JsonException e) {
            throw new IOException("its answer is no JSON", e);
        }
    }

    private static String text(Json object, String name) {
        String text = object.memberText(name);
        return text == null ? "" : text;
    }

    private static long number(Json object, String name) {
        Json number = object.member(name);
        return number == null ? 0 : number.asLong(0);
    }
}
