package dev.patchbay.oauth.resource;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/**
 * Finds the metadata of an issuer, by OpenID Connect Discovery or by RFC 8414. Some authorization
 * servers support only one of them.
 */
final class IssuerMetadata {
    private final String issuer;
    private final IssuerHttp http;

    IssuerMetadata(String issuer, IssuerHttp http) {
        this.issuer = issuer;
        this.http = http;
    }

    /** The URL that a member of the metadata names. */
    URI findUrl(String member) throws IOException, InterruptedException {
        IOException failure = null;
        for (URI place : places(issuer)) {
            try {
                URI found = readUrl(place, member);
                if (found != null) {
                    return found;
                }
            } catch (IOException e) {
                failure = failure == null ? e : failure;
            }
        }
        throw failure == null ? new IOException("its metadata has no " + member) : failure;
    }

    /** Where metadata can be. An issuer may end with a slash, which is part of its name. */
    static List<URI> places(String issuer) {
        URI url = URI.create(issuer);
        String path = url.getRawPath() == null ? "" : url.getRawPath();
        String trimmed = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
        String origin = url.getScheme() + "://" + url.getRawAuthority();
        URI appended = URI.create(origin + trimmed + "/.well-known/openid-configuration");
        URI inserted = URI.create(origin + "/.well-known/oauth-authorization-server" + trimmed);
        return List.of(appended, inserted);
    }

    private @Nullable URI readUrl(URI place, String member)
            throws IOException, InterruptedException {
        Json metadata = http.get(place);
        if (!issuer.equals(metadata.memberText("issuer"))) {
            throw new IOException("the metadata at " + place + " is that of another issuer");
        }
        String text = metadata.memberText(member);
        try {
            return text == null ? null : URI.create(text);
        } catch (IllegalArgumentException _) {
            throw new IOException("its metadata has an invalid " + member);
        }
    }
}
