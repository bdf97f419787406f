package dev.patchbay.server;

/**
 * What a server wrote where only messages belong: a banner, a log. It is passed over here; other
 * clients may break over it.
 *
 * @param lines how many lines
 * @param last the last of them, cut short, without what moves a cursor
 */
public record StrayOutput(long lines, String last) {
    public static final StrayOutput NONE = new StrayOutput(0, "");
}
