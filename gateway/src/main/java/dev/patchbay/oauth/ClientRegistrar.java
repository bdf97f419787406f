package dev.patchbay.oauth;

import dev.patchbay.http.client.HttpFetcher;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.oauth.ClientRegistration.ClientAuthMethod;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Obtains a client registration at an authorization server: the configured client, a client
 * metadata URL, a stored registration, or dynamic registration. A registration is never sent to
 * another authorization server.
 */
final class ClientRegistrar {
    private final OAuthHttpClient http;
    private final AuthorizationMetadata metadata;
    private final OAuthConfig configured;
    private final InstantSource clock;

    ClientRegistrar(
            OAuthHttpClient web,
            AuthorizationMetadata terms,
            OAuthConfig configured,
            InstantSource clock) {
        this.http = web;
        this.metadata = terms;
        this.configured = configured;
        this.clock = clock;
    }

    /**
     * Obtains a registration.
     *
     * @param redirectUri the redirect URI of the browser
     * @param before the stored registration at this authorization server; null for none
     * @param scope the scopes to request; empty for the default
     */
    ClientRegistration obtain(String redirectUri, @Nullable ClientRegistration before, String scope)
            throws SignInFailed, InterruptedException {
        OAuthConfig.OAuthClient client = configured.client();
        if (!client.id().isEmpty()) {
            return configuredClient();
        }
        if (metadata.features().acceptsClientMetadataUrl() && !client.metadataUrl().isEmpty()) {
            return new ClientRegistration(client.metadataUrl(), "", ClientAuthMethod.NONE, "");
        }
        if (before != null && before.redirectUri().equals(redirectUri)) {
            return before;
        }
        URI registration = metadata.endpoints().registration();
        if (registration == null) {
            throw new SignInFailed(
                    "The authorization server %s registers no clients. Register Patchbay there,"
                                    .formatted(DisplayText.message(metadata.issuer()))
                            + " and write clientId (and clientSecret) under oauth of the server");
        }
        return register(registration, redirectUri, scope);
    }

    /** A registration whose assertion is valid for a while from now on. */
    ClientRegistration refresh(ClientRegistration client) throws SignInFailed {
        return client.authMethod() == ClientAuthMethod.PRIVATE_KEY ? configuredClient() : client;
    }

    /** The configured client. */
    ClientRegistration configuredClient() throws SignInFailed {
        OAuthConfig.OAuthClient client = configured.client();
        if (!client.privateKeyFile().isEmpty()) {
            String assertion =
                    ClientAssertion.sign(
                            client.privateKeyFile(),
                            client.id(),
                            metadata.issuer(),
                            clock.instant());
            return new ClientRegistration(client.id(), assertion, ClientAuthMethod.PRIVATE_KEY, "");
        }
        ClientAuthMethod way =
                client.secret().isEmpty()
                        ? ClientAuthMethod.NONE
                        : ClientAuthMethod.withSecret(metadata.features().tokenAuthMethods());
        return new ClientRegistration(client.id(), client.secret(), way, "");
    }

    private ClientRegistration register(URI url, String redirectUri, String scope)
            throws SignInFailed, InterruptedException {
        List<String> taken = metadata.features().tokenAuthMethods();
        ClientAuthMethod wanted =
                taken.isEmpty() || taken.contains(ClientAuthMethod.NONE.wireName())
                        ? ClientAuthMethod.NONE
                        : ClientAuthMethod.withSecret(taken);
        var headers = Map.of("Content-Type", "application/json", "Accept", "application/json");
        HttpFetcher.Response answer =
                http.post(url, headers, registrationRequest(redirectUri, wanted, scope));
        Json given = OAuthHttpClient.parseObject(answer);
        String id = given == null ? null : given.memberText("client_id");
        if (answer.status() < 200 || answer.status() > 299 || id == null || given == null) {
            throw new SignInFailed(
                    "%s refused the registration: HTTP %d. If it takes a fixed token, put it"
                                    .formatted(OAuthHttpClient.describe(url), answer.status())
                            + " under headers; if you have a client there, put it under oauth");
        }
        String secret = given.memberText("client_secret");
        String told = given.memberText("token_endpoint_auth_method");
        ClientAuthMethod usual =
                secret == null ? ClientAuthMethod.NONE : ClientAuthMethod.withSecret(taken);
        ClientAuthMethod way = told == null ? usual : ClientAuthMethod.of(told, usual);
        return new ClientRegistration(id, secret == null ? "" : secret, way, redirectUri);
    }

    private static String registrationRequest(
            String redirectUri, ClientAuthMethod way, String scope) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("client_name", "Patchbay")
                        .member("application_type", "native")
                        .member("token_endpoint_auth_method", way.wireName());
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
