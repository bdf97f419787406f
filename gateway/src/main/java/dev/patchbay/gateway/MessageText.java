package dev.patchbay.gateway;

/** Words of others in messages of ours. */
final class MessageText {
    private static final int CHARS_MAX = 200;

    private MessageText() {}

    /** A name as given, cut and without control characters. */
    static String quoted(String name) {
        String cut = name.length() > CHARS_MAX ? name.substring(0, CHARS_MAX) + "…" : name;
        return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
