package dev.patchbay.config.read;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Locale;

/** Suggests a known word for a misspelt one. */
public final class SpellingSuggestion {
    private static final int CHARS_MAX = 80;

    private static final int EDITS_MAX = 3;

    private SpellingSuggestion() {}

    public static @Nullable String closest(String word, Collection<String> known) {
        if (word.length() > CHARS_MAX) {
            return null;
        }
        String plain = normalize(word);
        String best = null;
        int bestDistance = Math.clamp(plain.length() / 3, 1, EDITS_MAX) + 1;
        for (String candidate : known) {
            int distance = editDistance(plain, normalize(candidate));
            if (distance < bestDistance) {
                bestDistance = distance;
                best = candidate;
            }
        }
        return best;
    }

    private static String normalize(String word) {
        return word.toLowerCase(Locale.ROOT).replaceAll("[_-]", "");
    }

    /** The number of letters to insert, delete, change or swap with the next one. */
    private static int editDistance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                int least = Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1);
                least = Math.min(least, d[i - 1][j - 1] + change);
                boolean swapped =
                        i > 1
                                && j > 1
                                && a.charAt(i - 1) == b.charAt(j - 2)
                                && a.charAt(i - 2) == b.charAt(j - 1);
                d[i][j] = swapped ? Math.min(least, d[i - 2][j - 2] + 1) : least;
            }
        }
        return d[a.length()][b.length()];
    }
}
