package dev.patchbay.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Searches tools by words. */
public final class ToolSearch {
    private static final int NAME_SCORE = 3;
    private static final int DESCRIPTION_SCORE = 1;

    private ToolSearch() {}

    /** The tools that have at least one of the words in name or description, best first. */
    public static List<Tool> find(Collection<Tool> tools, String query) {
        List<String> words = List.of(query.toLowerCase(Locale.ROOT).strip().split("\\s+", -1));
        var ranked = new ArrayList<Tool>(tools);
        ranked.removeIf(it -> score(it, words) == 0);
        ranked.sort(Comparator.comparingInt((Tool it) -> -score(it, words)));
        return ranked;
    }

    /** How well a tool matches: a word in the name counts more than one in the description. */
    private static int score(Tool tool, List<String> words) {
        String name = tool.name().text().toLowerCase(Locale.ROOT);
        String description = tool.description().toLowerCase(Locale.ROOT);
        int score = 0;
        for (String word : words) {
            if (name.contains(word)) {
                score += NAME_SCORE;
            } else if (description.contains(word)) {
                score += DESCRIPTION_SCORE;
            }
        }
        return score;
    }
}
