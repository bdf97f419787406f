package dev.patchbay.dashboard;

import dev.patchbay.config.SecretDetector;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.ServerReport;
import dev.patchbay.server.OAuthConfig;
import dev.patchbay.server.ServerSpec.Transport;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes secrets out of what is shown: those that the configuration gives to servers, and members
 * whose names say that they hold one.
 */
final class SecretRedactor {
    private static final int SECRET_CHARS_MIN = 6;
    private static final Pattern TEXT_MEMBER =
            Pattern.compile("\"([A-Za-z0-9_.-]{1,64})\"\\s{0,8}:\\s{0,8}\"");

    /** A value that only names where the secret is to be found, as in advice. */
    private static final Pattern VARIABLE_REFERENCE =
            Pattern.compile("(?:[A-Za-z]{1,16} )?\\$\\{[A-Za-z0-9_]{1,64}}");

    private static final long AGE_NANOS_MAX = Duration.ofSeconds(1).toNanos();

    private final Set<String> secrets;
    private final long createdNanos = System.nanoTime();

    private SecretRedactor(Set<String> known) {
        this.secrets = known;
    }

    /** What is known now of the servers' secrets, the longest first. */
    static SecretRedactor of(Gateway gateway) {
        var found = new LinkedHashSet<String>();
        for (ServerReport server : gateway.servers()) {
            switch (server.spec().transport()) {
                case Transport.Stdio stdio -> collect(stdio.env(), found);
                case Transport.Http http -> collect(http.headers(), http.oauth(), found);
                case Transport.Sse sse -> collect(sse.headers(), sse.oauth(), found);
                case Transport.MissingVariables _, Transport.NotTrusted _ -> {}
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
                        into.add(bare);
                    }
                });
    }

    /** Whether the configuration may have changed since. */
    boolean isExpired() {
        return System.nanoTime() - createdNanos > AGE_NANOS_MAX;
    }

    /** A text without them. */
    String redact(String text) {
        String shown = text;
        for (String secret : secrets) {
            shown = shown.replace(secret, SecretDetector.MASK);
        }
        return redactSecretMembers(shown);
    }

    private static String redactSecretMembers(String text) {
        var shown = new StringBuilder();
        Matcher member = TEXT_MEMBER.matcher(text);
        int from = 0;
        while (member.find(from)) {
            shown.append(text, from, member.end());
            from = member.end();
            if (SecretDetector.isSecretName(member.group(1))) {
                int end = endOfString(text, from);
                String value = text.substring(from, end);
                shown.append(
                        VARIABLE_REFERENCE.matcher(value).matches() ? value : SecretDetector.MASK);
                from = end;
            }
        }
        return shown.append(text, from, text.length()).toString();
    }

    private static int endOfString(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) != '"') {
            at += text.charAt(at) == '\\' ? 2 : 1;
        }
        return Math.min(at, text.length());
    }
}
