package dev.patchbay.server;

import dev.patchbay.json.Json;
import dev.patchbay.json.MemberCursor;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Recognises forms that ask for a secret, by the names, titles, descriptions and formats of their
 * fields and by the message. MCP forbids such forms: a secret belongs on a page of the server.
 */
final class SecretFormDetector {
    /** Words that name a secret, each by itself. */
    private static final Set<String> WORDS =
            Set.of(
                    "password",
                    "passwd",
                    "passphrase",
                    "passcode",
                    "pwd",
                    "pin",
                    "token",
                    "secret",
                    "apikey",
                    "credential",
                    "credentials",
                    "otp",
                    "cvv",
                    "cvc",
                    "ssn");

    /** Several words that name a secret together. */
    private static final List<String> PHRASES =
            List.of(
                    " api key ",
                    " access key ",
                    " private key ",
                    " secret key ",
                    " security code ",
                    " one time code ",
                    " one time password ",
                    " verification code ",
                    " credit card ",
                    " card number ",
                    " social security ",
                    " seed phrase ",
                    " recovery phrase ");

    /** Words that make a message ask for a secret, whatever the field is called. */
    private static final List<String> MESSAGE_PHRASES =
            List.of(
                    " password ",
                    " passphrase ",
                    " passcode ",
                    " api key ",
                    " private key ",
                    " secret key ",
                    " access token ",
                    " credit card ",
                    " card number ",
                    " seed phrase ");

    private SecretFormDetector() {}

    /** Returns the name of a field that asks for a secret; null if there is none. */
    static @Nullable String secretField(Json params) {
        Json schema = params.member("requestedSchema");
        Json properties = schema == null ? null : schema.member("properties");
        if (properties == null || !properties.isObject()) {
            return null;
        }
        boolean isAskedFor = containsAny(words(params.memberText("message")), MESSAGE_PHRASES);
        MemberCursor fields = properties.memberCursor();
        while (fields.next()) {
            if (takesText(fields.value())
                    && (isAskedFor || namesSecret(fields.name(), fields.value()))) {
                return fields.name();
            }
        }
        return null;
    }

    /** Whether a person types the answer. A choice or a check box holds no secret. */
    private static boolean takesText(Json field) {
        if (!field.isObject() || field.member("enum") != null || field.member("oneOf") != null) {
            return false;
        }
        String type = field.memberText("type");
        return !"boolean".equals(type) && !"array".equals(type);
    }

    private static boolean namesSecret(String name, Json field) {
        return "password".equals(field.memberText("format"))
                || namesSecret(name)
                || namesSecret(field.memberText("title"))
                || containsAny(words(field.memberText("description")), MESSAGE_PHRASES);
    }

    private static boolean namesSecret(@Nullable String text) {
        String words = words(text);
        for (String word : words.strip().split(" ", -1)) {
            if (WORDS.contains(word)) {
                return true;
            }
        }
        return containsAny(words, PHRASES);
    }

    private static boolean containsAny(String words, List<String> phrases) {
        return phrases.stream().anyMatch(words::contains);
    }

    /** The words of a text in small letters, with one space around each. */
    private static String words(@Nullable String text) {
        if (text == null) {
            return " ";
        }
        var words = new StringBuilder(" ");
        boolean wasSmall = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isWordStart = Character.isUpperCase(c) && wasSmall; // as in apiKey
            if (isWordStart || !Character.isLetterOrDigit(c)) {
                appendSpace(words);
            }
            if (Character.isLetterOrDigit(c)) {
                words.append(c);
            }
            wasSmall = Character.isLowerCase(c);
        }
        appendSpace(words);
        return words.toString().toLowerCase(Locale.ROOT);
    }

    private static void appendSpace(StringBuilder words) {
        if (words.charAt(words.length() - 1) != ' ') {
            words.append(' ');
        }
    }
}
