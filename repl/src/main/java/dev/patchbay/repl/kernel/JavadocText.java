package dev.patchbay.repl.kernel;

import java.util.Arrays;
import java.util.regex.Pattern;

/** Documentation comments as plain text. */
final class JavadocText {
    private static final int CHARS_MAX = 6_000;

    private static final Pattern LITERAL = Pattern.compile("\\{@(?:code|literal)\\s+([^{}]*)\\}");
    private static final Pattern LINK =
            Pattern.compile("\\{@(?:link|linkplain)\\s+([^\\s{}]+)(?:\\s+([^{}]*))?\\}");
    private static final Pattern OTHER_TAG = Pattern.compile("\\{@\\w+\\s*([^{}]*)\\}");
    private static final Pattern BLOCK =
            Pattern.compile("(?i)</?(p|br|ul|ol|pre|dl|table|tr)\\b[^>]*>");
    private static final Pattern ITEM = Pattern.compile("(?i)<(li|dt|dd)\\b[^>]*>");
    private static final Pattern MARKUP = Pattern.compile("</?[A-Za-z][^>]*>");
    private static final Pattern INDENT = Pattern.compile("(?m)^ ");
    private static final Pattern TAG =
            Pattern.compile("\\s+(?=@(?:param|return|throws|exception|see|since)\\b)");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final Pattern GAP = Pattern.compile("\\n\\s*\\n\\s*");

    private JavadocText() {}

    static String toPlainText(String comment) {
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
        text = INDENT.matcher(GAP.matcher(text).replaceAll("\n\n")).replaceAll("").strip();
        return ValueFormatter.truncate(withTagsOnOwnLines(text), CHARS_MAX);
    }

    /** What stands behind the first tag, with a line for each of them. */
    private static String withTagsOnOwnLines(String text) {
        String[] parts = TAG.split(text, -1);
        for (int i = 1; i < parts.length; i++) {
            parts[i] = SPACE.matcher(parts[i]).replaceAll(" ").strip();
        }
        return parts.length == 1 ? text : parts[0] + "\n\n" + tags(parts);
    }

    private static String tags(String[] parts) {
        return String.join("\n", Arrays.asList(parts).subList(1, parts.length));
    }
}
