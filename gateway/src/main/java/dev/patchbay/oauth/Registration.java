package dev.patchbay.oauth;

import dev.patchbay.http.Fetch;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.oauth.Identity.Way;
import dev.patchbay.server.SignIn;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * Comes to be known to an authorization server: by the client that is configured, by the address of
 * a document about us, by what it gave us before, or by registering. What one gave us is never
 * shown to another.
 */
final class Registration {
    private final Web web;
    private final Terms terms;
    private final SignIn configured;

    Registration(Web web, Terms terms, SignIn configured) {
        this.web = web;
        this.terms = terms;
        this.configured = configured;
    }

    /**
     * Who we are.
     *
     * @param redirectUri where the browser will come back to
     * @param before what this very authorization server knows us by; null if nothing
     * @param scope what will be asked for; empty for nothing in particular
     */
    Identity identity(String redirectUri, @Nullable Identity before, String scope)
            throws SignInFailed, InterruptedException {
        SignIn.Client client = configured.client();
        if (!client.id().isEmpty()) {
            return own();
        }
        if (terms.abilities().takesDocuments() && !client.metadataUrl().isEmpty()) {
            return new Identity(client.metadataUrl(), "", Way.NONE, "");
        }
        if (before != null && before.redirectUri().equals(redirectUri)) {
            return before;
        }
        URI registration = terms.endpoints().registration();
        if (registration == null) {
            throw new SignInFailed(
                    "The authorization server %s takes no unknown clients. Register Patchbay there,"
                                    .formatted(Shown.of(terms.issuer()))
                            + " and write clientId (and clientSecret) under oauth of the server");
        }
        return register(registration, redirectUri, scope);
    }

    /** The client that is configured. */
    Identity own() {
        SignIn.Client client = configured.client();
        Way way =
                client.secret().isEmpty()
                        ? Way.NONE
                        : Way.withSecret(terms.abilities().tokenAuth());
        return new Identity(client.id(), client.secret(), way, "");
    }

    private Identity register(URI url, String redirectUri, String scope)
            throws SignInFailed, InterruptedException {
        List<String> taken = terms.abilities().tokenAuth();
        Way wanted =
                taken.isEmpty() || taken.contains(Way.NONE.word())
                        ? Way.NONE
                        : Way.withSecret(taken);
        var headers = Map.of("Content-Type", "application/json", "Accept", "application/json");
        Fetch.Answer answer = web.post(url, headers, request(redirectUri, wanted, scope));
        Json given = Web.object(answer);
        String id = given == null ? null : given.memberText("client_id");
        if (answer.status() < 200 || answer.status() > 299 || id == null || given == null) {
            throw new SignInFailed(
                    "%s did not register us: HTTP %d. If the server takes a fixed token, put it"
                                    .formatted(Web.host(url), answer.status())
                            + " under headers; if you have a client there, under oauth");
        }
        String secret = given.memberText("client_secret");
        String told = given.memberText("token_endpoint_auth_method");
        Way usual = secret == null ? Way.NONE : Way.withSecret(taken);
        Way way = told == null ? usual : Way.of(told, usual);
        return new Identity(id, secret == null ? "" : secret, way, redirectUri);
    }

    private static String request(String redirectUri, Way way, String scope) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("client_name", "Patchbay")
                        .member("application_type", "native")
                        .member("token_endpoint_auth_method", way.word());
        writer.name("redirect_uris").beginArray().string(redirectUri).endArray();
        writer.name("grant_types")
                .beginArray()
                .string("authorization_code")
                .string("refresh_token")
                .endArray();
        writer.name("response_types").beginArray().string("code").endArray();
        if (!scope.isEmpty()) {
            writer.member("scope", scope);
        }
        return writer.endObject().toJson().toString();
    }
}
