package dev.patchbay.server;

/**
 * Output of a server that is not a message, such as a banner or a log. It is ignored here, but
 * other clients may fail on it.
 *
 * @param lines the number of lines
 * @param last the last line, shortened and escaped
 */
public record StrayOutput(long lines, String last) {
    public static final StrayOutput NONE = new StrayOutput(0, "");
}
