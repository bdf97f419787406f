package dev.patchbay.oauth;

import dev.patchbay.server.OAuthConfig;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Selects the scopes to request. */
final class ScopeSelector {
    private ScopeSelector() {}

    /** The configured scopes, else those of the challenge, else all scopes of the server. */
    static String select(
            OAuthConfig configured, AuthorizationMetadata terms, BearerChallenge challenge) {
        if (!configured.scopes().isEmpty()) {
            return String.join(" ", configured.scopes());
        }
        return challenge.scope().isEmpty() ? String.join(" ", terms.scopes()) : challenge.scope();
    }

    /** The same, with scopes granted or missed before, and with {@code offline_access}. */
    static String select(
            OAuthConfig configured,
            AuthorizationMetadata terms,
            BearerChallenge challenge,
            List<String> more) {
        Set<String> all = split(select(configured, terms, challenge));
        more.forEach(each -> all.addAll(split(each)));
        if (!all.isEmpty() && terms.features().hasOfflineAccessScope()) {
            all.add("offline_access");
        }
        return String.join(" ", all);
    }

    private static Set<String> split(String scope) {
        var all = new LinkedHashSet<>(Arrays.asList(scope.split(" ", -1)));
        all.remove("");
        return all;
    }
}
