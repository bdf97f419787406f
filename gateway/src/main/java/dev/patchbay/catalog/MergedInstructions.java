package dev.patchbay.catalog;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.regex.Pattern;

/**
 * The instructions of all servers as one text for a client: a heading with the id of each server,
 * then its instructions as a block quote. Since every line of a server is quoted, no server can
 * write a heading. The text is bounded, because it becomes part of the client's context.
 */
final class MergedInstructions {
    /** The longest instructions that are kept of one server. */
    static final int SERVER_CHARS_MAX = 8_000;

    private static final int CHARS_MAX = 64_000;
    private static final String TRUNCATION_MARK = " […]";

    /** Every character that some reader takes for the end of a line. */
    private static final Pattern LINE_END =
            Pattern.compile("\\r\\n|[\\n\\r\\u000B\\f\\x1C-\\x1E\\u0085\\u2028\\u2029]");

    private MergedInstructions() {}

    static String truncate(String text) {
        String stripped = text.strip();
        if (stripped.length() <= SERVER_CHARS_MAX) {
            return stripped;
        }
        int end = SERVER_CHARS_MAX - TRUNCATION_MARK.length();
        boolean inPair = Character.isHighSurrogate(stripped.charAt(end - 1));
        return stripped.substring(0, inPair ? end - 1 : end) + TRUNCATION_MARK;
    }

    /** Merges the instructions; those of a single server stay as they are. */
    static String merge(List<Listing> listings) {
        if (listings.size() == 1) {
            return listings.getFirst().instructions();
        }
        var merged = new StringBuilder();
        int omitted = 0;
        for (Listing listing : listings) {
            String text = listing.instructions();
            if (text.isEmpty()) {
                continue;
            }
            String section = "# %s\n\n%s\n\n".formatted(listing.server(), quoted(text));
            if (merged.length() + section.length() > CHARS_MAX) {
                omitted++;
            } else {
                merged.append(section);
            }
        }
        if (omitted > 0) {
            merged.append("(The instructions of %d more servers are omitted.)".formatted(omitted));
        }
        return merged.toString().strip();
    }

    private static String quoted(String text) {
        return LINE_END.splitAsStream(text).map(line -> "> " + line).collect(joining("\n"));
    }
}
