package dev.patchbay.config.read;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.TokenIssuer;
import dev.patchbay.config.TokenIssuer.Claims;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.ConfiguredValues;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Reads the authorization servers whose access tokens are accepted. */
final class TokenIssuerReader {
    /** The gateway's scopes. */
    static final Set<String> SCOPES = Set.of("mcp", "dashboard", "metrics", "admin");

    private static final int ISSUERS_MAX = 20;
    private static final Set<String> INTROSPECTION_KEYS = Set.of("url", "clientId", "clientSecret");

    private final ObjectReader fields;

    private TokenIssuerReader(ObjectReader fields) {
        this.fields = fields;
    }

    static List<TokenIssuer> readAll(ObjectReader http) {
        var issuers = new ArrayList<TokenIssuer>();
        var names = new HashSet<String>();
        int introspecting = 0;
        for (ObjectReader entry : http.readObjects("oauth")) {
            TokenIssuer issuer = new TokenIssuerReader(entry).read();
            if (issuer != null && names.add(issuer.issuer())) {
                issuers.add(issuer);
                introspecting += issuer.introspection().names().isEmpty() ? 0 : 1;
            } else if (issuer != null) {
                addConflict(entry, "issuer", "The issuer occurs twice", "Remove one of them");
            }
        }
        if (issuers.size() > ISSUERS_MAX) {
            addConflict(http, "oauth", "More than " + ISSUERS_MAX + " issuers", "Remove some");
        }
        if (introspecting > 1) {
            addConflict(
                    http,
                    "oauth",
                    "Several issuers have introspection, so a token would be sent to the wrong one",
                    "Keep introspection for one issuer");
        }
        return List.copyOf(issuers);
    }

    private static void addConflict(ObjectReader at, String key, String problem, String remedy) {
        at.addFinding(Kind.CONFLICT, at.locationOf(key), problem, remedy);
    }

    private @Nullable TokenIssuer read() {
        String issuer = fields.readString("issuer");
        if (!fields.has("issuer")) {
            fields.addFinding(
                    Kind.MISSING,
                    fields.location(),
                    "The issuer is missing",
                    "Write \"issuer\": \"https://…\", as the tokens name it");
        } else if (issuer != null && !isSafeUrl(issuer)) {
            addWrongUrl("issuer");
        }
        var read =
                new TokenIssuer(
                        issuer == null ? "" : issuer,
                        readAudiences(),
                        readClaims(),
                        readUrl("jwksUrl"),
                        readIntrospection());
        fields.warnOfUnknownKeys(
                Map.of("aud", "audience", "jwks_uri", "jwksUrl", "jwksUri", "jwksUrl"));
        return issuer == null || !isSafeUrl(issuer) ? null : read;
    }

    private List<String> readAudiences() {
        if (fields.readNode("audience") instanceof SyntaxNode.StringNode) {
            String text = fields.readString("audience");
            return text == null ? List.of() : List.of(text);
        }
        return fields.readStrings("audience");
    }

    private Claims readClaims() {
        Map<String, String> scopes =
                readMap("scopes", SCOPES::contains, "mcp, dashboard, metrics or admin");
        List<String> always = fields.readStrings("defaultScopes");
        if (!SCOPES.containsAll(always)) {
            fields.addFinding(
                    Kind.WRONG_VALUE,
                    fields.locationOf("defaultScopes"),
                    "Not a scope of the gateway",
                    "Write mcp, dashboard, metrics or admin");
        }
        return new Claims(
                readStringOr("principalClaim", "sub"),
                scopes,
                always.stream().filter(SCOPES::contains).toList(),
                readStringOr("viewClaim", "groups"),
                readMap(
                        "views",
                        it -> it.equals("*") || CatalogView.isValidName(it),
                        "the name of a view, or * for all tools"));
    }

    private String readStringOr(String key, String other) {
        String text = fields.readString(key);
        return text == null || text.isBlank() ? other : text;
    }

    private Map<String, String> readMap(String key, Predicate<String> isLegal, String legal) {
        ObjectReader map = fields.readObject(key);
        var read = new LinkedHashMap<String, String>();
        for (SyntaxNode.Member member : map.members()) {
            String name = member.name().value();
            String value = map.readString(name);
            if (value != null && isLegal.test(value)) {
                read.put(name, value);
            } else if (value != null) {
                map.addFinding(
                        Kind.WRONG_VALUE,
                        map.locationOf(name),
                        SanitizedText.quote(value) + " is not a valid value",
                        "Write " + legal);
            }
        }
        return read;
    }

    private @Nullable String readUrl(String key) {
        String text = fields.readString(key);
        if (text == null || isSafeUrl(text)) {
            return text;
        }
        addWrongUrl(key);
        return null;
    }

    private ConfiguredValues readIntrospection() {
        ConfiguredValues values = fields.readValues("introspection");
        if (fields.has("introspection")) {
            boolean isWhole =
                    values.names().contains("clientId") && values.names().contains("clientSecret");
            var url = values.byName().get("url");
            boolean isSafe = url == null || (url.isLiteral() && isSafeUrl(url.literalText()));
            if (!isWhole || !isSafe || !INTROSPECTION_KEYS.containsAll(values.names())) {
                fields.addFinding(
                        Kind.WRONG_VALUE,
                        fields.locationOf("introspection"),
                        "Not complete, or with an unknown key or a URL that is not https",
                        "Write clientId, clientSecret and, if the metadata of the issuer does not"
                                + " name it, url");
                return ConfiguredValues.NONE;
            }
        }
        return values;
    }

    private void addWrongUrl(String key) {
        fields.addFinding(
                Kind.WRONG_VALUE,
                fields.locationOf(key),
                "Not a valid https URL",
                "Write a complete URL, such as \"https://idp.example.com\"");
    }

    /** Whether a URL is https, or on this machine, and has nothing that an issuer cannot have. */
    static boolean isSafeUrl(String text) {
        URI url = TransportReader.parseUrl(text);
        if (url == null || url.getRawUserInfo() != null) {
            return false;
        }
        String host = url.getHost();
        boolean isLoopback =
                host.equals("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
        return isLoopback || "https".equalsIgnoreCase(url.getScheme());
    }
}
