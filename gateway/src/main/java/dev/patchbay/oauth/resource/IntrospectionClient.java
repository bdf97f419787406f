package dev.patchbay.oauth.resource;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.json.Json;
import dev.patchbay.oauth.resource.TrustedIssuer.Introspection;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Asks an issuer about tokens that are not JWTs (RFC 7662). */
final class IntrospectionClient {
    private static final System.Logger log = System.getLogger(IntrospectionClient.class.getName());
    private static final int REQUESTS_MAX = 32;

    private final String issuer;
    private final Introspection account;
    private final IssuerHttp http;
    private final Semaphore places = new Semaphore(REQUESTS_MAX);
    private volatile @Nullable URI url;

    IntrospectionClient(String issuer, Introspection account, IssuerHttp http) {
        this.issuer = issuer;
        this.account = account;
        this.http = http;
        this.url = account.url();
    }

    /** What the issuer says about a token. */
    Json introspect(String token) throws IssuerUnavailableException, InterruptedException {
        if (!places.tryAcquire()) {
            throw new IssuerUnavailableException(
                    "Too many tokens are being verified at the moment");
        }
        try {
            return send(token);
        } catch (IOException e) {
            log.log(
                    WARNING,
                    "{0} cannot be asked about a token: {1}",
                    DisplayText.message(issuer),
                    DisplayText.message(String.valueOf(e.getMessage())));
            throw new IssuerUnavailableException(
                    "The authorization server cannot be asked at the moment");
        } finally {
            places.release();
        }
    }

    private Json send(String token) throws IOException, InterruptedException {
        URI to = url;
        if (to == null) {
            to = new IssuerMetadata(issuer, http).findUrl("introspection_endpoint");
            url = to;
        }
        IssuerHttp.requireSafe(to);
        String credentials = encode(account.clientId()) + ":" + encode(account.clientSecret());
        var headers =
                Map.of(
                        "Accept",
                        "application/json",
                        "Content-Type",
                        "application/x-www-form-urlencoded",
                        "Authorization",
                        "Basic " + base64(credentials));
        String form = "token=" + encode(token) + "&token_type_hint=access_token";
        return http.send(new HttpFetcher.Request("POST", to, List.of(), headers, form));
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
