package dev.patchbay.catalog;

import java.util.List;

/**
 * What servers tell whoever uses them, put together for a client: under the id of each, since
 * several speak, and within bounds, since it goes into the client's context.
 */
final class MergedInstructions {
    /** The most that is kept of one server. */
    static final int SERVER_CHARS_MAX = 8_000;

    private static final int CHARS_MAX = 64_000;
    private static final String TRUNCATION_MARK = " […]";

    private MergedInstructions() {}

    /** The beginning of a text, where it is too long. */
    static String truncate(String text) {
        String stripped = text.strip();
        if (stripped.length() <= SERVER_CHARS_MAX) {
            return stripped;
        }
        int end = SERVER_CHARS_MAX - TRUNCATION_MARK.length();
        boolean inPair = Character.isHighSurrogate(stripped.charAt(end - 1));
        return stripped.substring(0, inPair ? end - 1 : end) + TRUNCATION_MARK;
    }

    /** Those of all servers; a server that is alone speaks for itself. Empty if none says any. */
    static String merge(List<Listing> listings) {
        if (listings.size() == 1) {
            return listings.getFirst().instructions();
        }
        var joined = new StringBuilder();
        int left = 0;
        for (Listing listing : listings) {
            String text = listing.instructions();
            if (text.isEmpty()) {
                continue;
            }
            String section = "# %s\n\n%s\n\n".formatted(listing.server(), text);
            if (joined.length() + section.length() > CHARS_MAX) {
                left++;
            } else {
                joined.append(section);
            }
        }
        if (left > 0) {
            joined.append("(What %d more servers say is left out.)".formatted(left));
        }
        return joined.toString().strip();
    }
}
