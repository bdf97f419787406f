package dev.patchbay.server;

import java.util.List;

/**
 * Which tools of a server clients get to see and may call. A pattern is a tool's own name, in which
 * each {@code *} stands for any characters, also none; capital and small letters differ.
 *
 * @param include only tools that fit one of these
 * @param exclude of those, not the ones that fit one of these
 */
public record ToolFilter(List<String> include, List<String> exclude) {
    /** Of each list. */
    public static final int PATTERNS_MAX = 1_000;

    public static final int PATTERN_CHARS_MAX = 200;

    /** Allows all tools. */
    public static final ToolFilter ALLOW_ALL = new ToolFilter(List.of("*"), List.of());

    public ToolFilter {
        include = requireValid("include", include);
        exclude = requireValid("exclude", exclude);
    }

    /** Allows only tools that match a pattern. */
    public static ToolFilter including(String... patterns) {
        return new ToolFilter(List.of(patterns), List.of());
    }

    /** Hides tools that match a pattern. */
    public static ToolFilter excluding(String... patterns) {
        return new ToolFilter(ALLOW_ALL.include, List.of(patterns));
    }

    private static List<String> requireValid(String name, List<String> patterns) {
        if (patterns.size() > PATTERNS_MAX) {
            throw new IllegalArgumentException(
                    name + " has more than " + PATTERNS_MAX + " patterns");
        }
        for (String pattern : patterns) {
            if (pattern.isEmpty() || pattern.length() > PATTERN_CHARS_MAX) {
                throw new IllegalArgumentException(
                        "A pattern of %s must have 1 to %d characters"
                                .formatted(name, PATTERN_CHARS_MAX));
            }
        }
        return List.copyOf(patterns);
    }

    public boolean allowsAll() {
        return equals(ALLOW_ALL);
    }

    /** Whether a tool is offered to clients. */
    public boolean allows(String tool) {
        return matchesAny(include, tool) && !matchesAny(exclude, tool);
    }

    /** Why a tool is hidden. */
    public String exclusionReason(String tool) {
        return exclude.stream()
                .filter(pattern -> matches(pattern, tool))
                .findFirst()
                .map(pattern -> "tools.exclude contains " + quoted(pattern))
                .orElse("no pattern of tools.include matches it");
    }

    private static String quoted(String pattern) {
        return '"' + pattern + '"';
    }

    private static boolean matchesAny(List<String> patterns, String tool) {
        return patterns.stream().anyMatch(pattern -> matches(pattern, tool));
    }

    /**
     * Whether a tool matches a pattern, which is case-sensitive. Takes time proportional to the
     * product of the lengths.
     */
    public static boolean matches(String pattern, String tool) {
        int at = 0;
        int in = 0;
        int star = -1;
        int from = 0;
        while (in < tool.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                from = in;
            } else if (at < pattern.length() && pattern.charAt(at) == tool.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++from;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
