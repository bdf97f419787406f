package dev.patchbay.server;

import dev.patchbay.text.DisplayText;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Hides secrets in texts, also where the text shows their control characters escaped. */
public final class SecretMask {
    public static final SecretMask NONE = new SecretMask(List.of());

    private static final String MASK = "***";

    /** A shorter text occurs by chance. */
    private static final int SECRET_CHARS_MIN = 4;

    private final List<String> forms;

    private SecretMask(List<String> forms) {
        this.forms = forms;
    }

    public static SecretMask of(Iterable<String> secrets) {
        Set<String> forms = new LinkedHashSet<>();
        for (String secret : secrets) {
            if (secret.length() >= SECRET_CHARS_MIN) {
                forms.add(secret);
                forms.add(DisplayText.escape(secret));
            }
        }
        var ordered = new ArrayList<>(forms);
        ordered.sort(Comparator.comparingInt(String::length).reversed());
        return new SecretMask(List.copyOf(ordered));
    }

    /** Returns the text with each secret replaced by asterisks. */
    public String apply(String text) {
        String shown = text;
        for (String form : forms) {
            shown = shown.replace(form, MASK);
        }
        return shown;
    }

    @Override
    public String toString() {
        return MASK;
    }
}
