package dev.patchbay.history;

import dev.patchbay.config.SecretDetector;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.json.Json;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Masks secrets in text that is shown: those that the configuration gives to servers, and JSON
 * members whose names say that they hold one, also in JSON inside of a JSON string.
 */
public final class SecretRedactor {
    private static final int SECRET_CHARS_MIN = 6;

    /** A text that is known to be a secret is masked if it is not too short to be found. */
    private static final int RESOLVED_CHARS_MIN = 4;

    /** A longer text is content that the tool gets, not a credential. */
    private static final int CREDENTIAL_CHARS_MAX = 300;

    private static final int ESCAPED_LEVELS = 2;

    /** A member with a string; in JSON inside of a string every quote has backslashes before it. */
    private static final Pattern TEXT_MEMBER =
            Pattern.compile(
                    "(?<!\\\\)(\\\\{0,15})\"([A-Za-z0-9_.-]{1,64})\\1\""
                            + "(?:\\s|\\\\{1,15}[nrt]){0,8}:(?:\\s|\\\\{1,15}[nrt]){0,8}\\1\"");

    /** A reference to a variable, which is not a secret itself. */
    private static final Pattern VARIABLE_REFERENCE =
            Pattern.compile(
                    "(?:[A-Za-z]{1,16}"
                            + " )?\\$\\{(?:secret:[A-Za-z0-9._-]{1,100}|[A-Za-z0-9_]{1,64})}");

    private static final int NAMES_MAX = 2_000;
    private static final ConcurrentMap<String, Boolean> NAMES = new ConcurrentHashMap<>();

    private static final long AGE_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final Set<String> secrets;
    private final long createdNanos = System.nanoTime();

    private SecretRedactor(Set<String> known) {
        this.secrets = known;
    }

    /**
     * A redactor of the secrets that the configuration holds now, the longest first.
     *
     * @param resolved the secrets that the configuration refers to
     */
    public static SecretRedactor of(Gateway gateway, Set<String> resolved) {
        var found = new LinkedHashSet<String>();
        for (String secret : resolved) {
            if (secret.length() >= RESOLVED_CHARS_MIN) {
                addWithEscapes(secret, found);
            }
        }
        for (ServerReport server : gateway.servers()) {
            switch (server.spec().transport()) {
                case Transport.Stdio stdio -> collect(stdio.env().literals(), found);
                case Transport.Http http -> collect(http.headers().literals(), http.oauth(), found);
                case Transport.Sse sse -> collect(sse.headers().literals(), sse.oauth(), found);
                case Transport.MissingVariables _, Transport.NotTrusted _, Transport.Invalid _ -> {}
            }
        }
        var ordered = new LinkedHashSet<String>();
        found.stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .forEach(ordered::add);
        return new SecretRedactor(ordered);
    }

    private static void collect(Map<String, String> headers, OAuthConfig signIn, Set<String> into) {
        collect(headers, into);
        collect(Map.of("clientSecret", signIn.client().secret()), into);
    }

    private static void collect(Map<String, String> values, Set<String> into) {
        values.forEach(
                (name, value) -> {
                    boolean secret =
                            SecretDetector.isSecretName(name)
                                    || name.equalsIgnoreCase("authorization")
                                    || SecretDetector.looksSecret(value);
                    String bare = value.substring(value.indexOf(' ') + 1);
                    if (secret && bare.length() >= SECRET_CHARS_MIN) {
                        addWithEscapes(bare, into);
                    }
                });
    }

    /** A secret, and as it is written in a JSON string and in JSON inside of one. */
    private static void addWithEscapes(String secret, Set<String> into) {
        String text = secret;
        for (int i = 0; i <= ESCAPED_LEVELS; i++) {
            into.add(text);
            String quoted = Json.string(text).toString();
            text = quoted.substring(1, quoted.length() - 1);
        }
    }

    /** Whether the configuration may have changed since. */
    public boolean isExpired() {
        return System.nanoTime() - createdNanos > AGE_NANOS_MAX;
    }

    /** The text with every secret masked. */
    public String redact(String text) {
        return redactSecretMembers(redactKnown(text), 0);
    }

    /**
     * The JSON text with every secret masked, and every short string that looks like a credential.
     */
    public String redactCredentials(String text) {
        return redactSecretMembers(redactKnown(text), CREDENTIAL_CHARS_MAX);
    }

    private String redactKnown(String text) {
        String shown = text;
        for (String secret : secrets) {
            shown = shown.replace(secret, SecretDetector.MASK);
        }
        return shown;
    }

    /**
     * @param credentialCharsMax the longest string that is masked if it looks like a credential
     */
    private static String redactSecretMembers(String text, int credentialCharsMax) {
        var shown = new StringBuilder();
        Matcher member = TEXT_MEMBER.matcher(text).useTransparentBounds(true);
        int from = 0;
        int quote = text.indexOf('"');
        while (quote >= 0) {
            member.region(escapeStart(text, from, quote), text.length());
            if (member.lookingAt()) {
                shown.append(text, from, member.end());
                from = member.end();
                String value = secretValue(text, member, credentialCharsMax);
                if (value != null) {
                    boolean isReference = VARIABLE_REFERENCE.matcher(value).matches();
                    shown.append(isReference ? value : SecretDetector.MASK);
                    from += value.length();
                }
                quote = from - 1;
            }
            quote = text.indexOf('"', quote + 1);
        }
        return shown.append(text, from, text.length()).toString();
    }

    /** The first of the backslashes before a quote. */
    private static int escapeStart(String text, int from, int quote) {
        int at = quote;
        while (at > from && text.charAt(at - 1) == '\\') {
            at--;
        }
        return at;
    }

    /** The value of a member if it is to be masked; null if not. */
    private static @Nullable String secretValue(
            String text, Matcher member, int credentialCharsMax) {
        boolean hasSecretName = isSecretName(member.group(2));
        if (!hasSecretName && credentialCharsMax == 0) {
            return null;
        }
        int end = endOfString(text, member.end(), member.group(1).length());
        String value = text.substring(member.end(), end);
        boolean isSecret =
                hasSecretName
                        || (value.length() <= credentialCharsMax
                                && SecretDetector.looksSecret(value));
        return isSecret ? value : null;
    }

    /** Tools have few names of arguments, and each is examined again and again. */
    private static boolean isSecretName(String name) {
        Boolean known = NAMES.get(name);
        if (known == null) {
            known = SecretDetector.isSecretName(name);
            if (NAMES.size() < NAMES_MAX) {
                NAMES.put(name, known);
            }
        }
        return known;
    }

    /**
     * The end of a string whose quotes have so many backslashes before them. A quote inside of it
     * has more: each level of escaping doubles them and adds one.
     */
    private static int endOfString(String text, int from, int backslashes) {
        int run = 0;
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == '"' && run % (2 * (backslashes + 1)) == backslashes) {
                return at - backslashes;
            }
            run = c == '\\' ? run + 1 : 0;
        }
        return text.length();
    }
}
