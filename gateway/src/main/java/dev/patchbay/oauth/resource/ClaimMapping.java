package dev.patchbay.oauth.resource;

import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;
import dev.patchbay.http.server.TokenVerdict;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Who the claims of a token speak of, and what the token gives access to.
 *
 * @param principalClaim the claim that identifies a person or a program
 * @param scopes the scope of each name that a token may contain
 * @param defaultScopes the scopes of every token
 * @param views which view the members of a group get
 */
public record ClaimMapping(
        String principalClaim,
        Map<String, AccessScope> scopes,
        Set<AccessScope> defaultScopes,
        GroupViews views) {
    /** Each scope under its own name. */
    public static final ClaimMapping DEFAULTS =
            new ClaimMapping("sub", ownNames(), Set.of(), GroupViews.NONE);

    private static final int NAME_CHARS_MAX = 255;

    /** The claims that hold scopes: OAuth's, that of Entra and Okta, app roles, those of Auth0. */
    private static final List<String> SCOPE_CLAIMS =
            List.of("scope", "scp", "roles", "permissions");

    /** The claims that count without a mapping: a role of that name may mean something else. */
    private static final List<String> PLAIN_SCOPE_CLAIMS = List.of("scope", "scp");

    /**
     * Views by group. If there are any, a token without one of the groups gives no access.
     *
     * @param claim the claim that lists the groups
     * @param byGroup the view of each group, the first match counts; {@link #ALL_GROUPS} matches
     *     every token, {@link #NO_VIEW} stands for the whole catalog
     */
    public record GroupViews(String claim, Map<String, String> byGroup) {
        public static final GroupViews NONE = new GroupViews("groups", Map.of());
        public static final String ALL_GROUPS = "*";
        public static final String NO_VIEW = "*";

        public GroupViews {
            byGroup = Collections.unmodifiableMap(new LinkedHashMap<>(byGroup));
        }
    }

    public ClaimMapping {
        scopes = Map.copyOf(scopes);
        defaultScopes = Set.copyOf(defaultScopes);
    }

    /** Each scope under its own name. */
    public static Map<String, AccessScope> ownNames() {
        var names = new LinkedHashMap<String, AccessScope>();
        for (AccessScope scope : AccessScope.values()) {
            names.put(scope.text(), scope);
        }
        return names;
    }

    /** The principal of a valid token of this issuer. */
    TokenVerdict principal(String issuer, Json claims) {
        String subject = claims.memberText(principalClaim);
        if (subject == null || !isUsableName(subject)) {
            return new TokenVerdict.Invalid(
                    "The token has no usable claim that identifies its owner");
        }
        // An issuer has no fragment, so the name is unambiguous.
        String name = issuer + "#" + subject;
        Set<AccessScope> granted = scopesOf(claims);
        if (views.byGroup.isEmpty()) {
            return new TokenVerdict.Accepted(new Principal(name, granted));
        }
        String view = viewOf(claims);
        if (view == null) {
            return new TokenVerdict.Forbidden(
                    claims.member("_claim_names") == null
                            ? "None of the groups in the token has a view of the gateway"
                            : "The token does not list its groups, because they are too many");
        }
        if (view.equals(GroupViews.NO_VIEW)) {
            return new TokenVerdict.Accepted(new Principal(name, granted));
        }
        granted.retainAll(Set.of(AccessScope.MCP));
        return new TokenVerdict.Accepted(new Principal(name, granted, view));
    }

    private static boolean isUsableName(String name) {
        return !name.isBlank()
                && name.length() <= NAME_CHARS_MAX
                && name.codePoints().noneMatch(ClaimMapping::isUnprintable);
    }

    private static boolean isUnprintable(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL
                || type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE
                || type == Character.UNASSIGNED;
    }

    private EnumSet<AccessScope> scopesOf(Json claims) {
        EnumSet<AccessScope> granted = EnumSet.noneOf(AccessScope.class);
        granted.addAll(defaultScopes);
        boolean isPlain = scopes.equals(ownNames());
        for (String claim : isPlain ? PLAIN_SCOPE_CLAIMS : SCOPE_CLAIMS) {
            for (String name : words(claims.member(claim), true)) {
                AccessScope scope = scopes.get(name);
                if (scope != null) {
                    granted.add(scope);
                }
            }
        }
        return granted;
    }

    private @Nullable String viewOf(Json claims) {
        Set<String> groups = words(claims.member(views.claim), false);
        for (var entry : views.byGroup.entrySet()) {
            if (entry.getKey().equals(GroupViews.ALL_GROUPS) || groups.contains(entry.getKey())) {
                return entry.getValue();
            }
        }
        return null;
    }

    /** The texts of an array, or of one string, which may list several. */
    private static Set<String> words(@Nullable Json value, boolean mayListSeveral) {
        var words = new HashSet<String>();
        if (value != null && value.isString()) {
            String text = value.text();
            words.addAll(mayListSeveral ? List.of(text.split(" ", -1)) : List.of(text));
        } else if (value != null && value.isArray()) {
            for (Json element : value.elements()) {
                if (element.isString()) {
                    words.add(element.text());
                }
            }
        }
        return words;
    }
}
