package dev.patchbay.gateway;

/** Words of others in messages of ours. */
final class Text {
    private static final int CHARS_MAX = 200;

    private Text() {}

    /** A name as given, cut and without control characters. */
    static String brief(String name) {
        String cut = name.length() > CHARS_MAX ? name.substring(0, CHARS_MAX) + "…" : name;
        return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
