package dev.patchbay.repl.kernel;

import java.util.regex.Pattern;

/** Documentation comments as plain text. */
final class DocText {
    private static final int CHARS_MAX = 6_000;

    private static final Pattern LITERAL = Pattern.compile("\\{@(?:code|literal)\\s+([^{}]*)\\}");
    private static final Pattern LINK =
            Pattern.compile("\\{@(?:link|linkplain)\\s+([^\\s{}]+)(?:\\s+([^{}]*))?\\}");
    private static final Pattern OTHER_TAG = Pattern.compile("\\{@\\w+\\s*([^{}]*)\\}");
    private static final Pattern BLOCK =
            Pattern.compile("(?i)</?(p|br|ul|ol|pre|dl|table|tr)\\b[^>]*>");
    private static final Pattern ITEM = Pattern.compile("(?i)<(li|dt|dd)\\b[^>]*>");
    private static final Pattern MARKUP = Pattern.compile("</?[A-Za-z][^>]*>");
    private static final Pattern GAP = Pattern.compile("\\n\\s*\\n\\s*");

    private DocText() {}

    static String plain(String comment) {
        String text = LITERAL.matcher(comment).replaceAll("$1");
        text =
                LINK.matcher(text)
                        .replaceAll(
                                found -> {
                                    String label = found.group(2);
                                    String shown = label == null ? found.group(1) : label;
                                    return java.util.regex.Matcher.quoteReplacement(shown);
                                });
        text = OTHER_TAG.matcher(text).replaceAll("$1");
        text = BLOCK.matcher(text).replaceAll("\n");
        text = ITEM.matcher(text).replaceAll("\n- ");
        text = MARKUP.matcher(text).replaceAll("");
        text =
                text.replace("&lt;", "<")
                        .replace("&gt;", ">")
                        .replace("&nbsp;", " ")
                        .replace("&#64;", "@")
                        .replace("&amp;", "&");
        return Values.bounded(GAP.matcher(text).replaceAll("\n\n").strip(), CHARS_MAX);
    }
}
