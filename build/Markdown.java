import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts a page of the guide from Markdown to HTML. Only what the guide uses is understood. */
final class Markdown {
    private static final Pattern HEADING = Pattern.compile("(#{1,6}) (.*)");
    private static final Pattern ITEM = Pattern.compile("( *)(?:[-*]|(\\d+)\\.) +(.*)");
    private static final Pattern SPAN =
            Pattern.compile(
                    "`([^`]+)`|!\\[([^]]*)]\\(([^)\\s]+)\\)|\\[((?:[^]`]|`[^`]*`)+)]\\(([^)\\s]+)\\)"
                        + "|\\*\\*(.+?)\\*\\*|(?<![\\w*])\\*([^*\\s](?:[^*]*[^*\\s])?)\\*(?!\\w)");

    /** A part of a page that begins with a heading. */
    record Section(String anchor, String title, String text) {}

    private final List<String> lines;
    private final UnaryOperator<String> links;
    private final StringBuilder html = new StringBuilder();
    private final List<Section> sections = new ArrayList<>();
    private final Set<String> anchors = new HashSet<>();
    private final StringBuilder sectionText = new StringBuilder();
    private int at;

    /**
     * Reads a page.
     *
     * @param links gives the target of a link on the site for its target in the source
     */
    Markdown(String text, UnaryOperator<String> links) {
        this.lines = text.lines().toList();
        this.links = links;
        while (at < lines.size()) {
            block();
        }
        endSection();
    }

    String html() {
        return html.toString();
    }

    List<Section> sections() {
        return sections;
    }

    String title() {
        return sections.isEmpty() ? "" : sections.getFirst().title();
    }

    private void block() {
        String line = lines.get(at);
        Matcher heading = HEADING.matcher(line);
        if (line.isBlank() || line.startsWith("<!--")) {
            at++;
        } else if (line.startsWith("```")) {
            code();
        } else if (heading.matches()) {
            heading(heading.group(1).length(), heading.group(2));
        } else if (line.startsWith("|")) {
            table();
        } else if (line.startsWith(">")) {
            quote();
        } else if (ITEM.matcher(line).matches()) {
            list(ITEM.matcher(line).replaceAll("$1").length());
        } else {
            paragraph();
        }
    }

    private void heading(int level, String text) {
        endSection();
        String plain = plain(text);
        String anchor =
                plain.toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
        String unique = anchor;
        for (int i = 1; !anchors.add(unique); i++) {
            unique = anchor + "-" + i;
        }
        sections.add(new Section(unique, plain, ""));
        html.append(
                "<h%d id=\"%s\">%s <a class=\"anchor\" href=\"#%s\" aria-label=\"Link to this section\">#</a></h%d>\n"
                        .formatted(level, escape(unique), spans(text), escape(unique), level));
        at++;
    }

    private void endSection() {
        if (!sections.isEmpty()) {
            Section last = sections.removeLast();
            String text = sectionText.toString().replaceAll("\\s+", " ").strip();
            sections.add(new Section(last.anchor(), last.title(), text));
        }
        sectionText.setLength(0);
    }

    private void code() {
        html.append("<pre tabindex=\"0\"><code>");
        for (at++; at < lines.size() && !lines.get(at).startsWith("```"); at++) {
            html.append(escape(lines.get(at))).append('\n');
            sectionText.append(lines.get(at)).append(' ');
        }
        at++;
        html.append("</code></pre>\n");
    }

    private void table() {
        html.append("<div class=\"table\" tabindex=\"0\"><table>\n");
        boolean hasHead = !cells(lines.get(at)).stream().allMatch(String::isBlank);
        if (hasHead) {
            row(lines.get(at), "th");
        }
        for (at += 2; at < lines.size() && lines.get(at).startsWith("|"); at++) {
            row(lines.get(at), "td");
        }
        html.append("</table></div>\n");
    }

    private void row(String line, String tag) {
        html.append("<tr>");
        for (String cell : cells(line)) {
            html.append('<').append(tag).append('>').append(text(cell));
            html.append("</").append(tag).append('>');
        }
        html.append("</tr>\n");
    }

    private static List<String> cells(String line) {
        var cells = new ArrayList<String>();
        var cell = new StringBuilder();
        boolean isCode = false;
        String inner = line.strip().replaceFirst("^\\|", "").replaceFirst("(?<!\\\\)\\|$", "");
        for (int i = 0; i < inner.length(); i++) {
            char c = inner.charAt(i);
            if (c == '\\' && i + 1 < inner.length() && inner.charAt(i + 1) == '|') {
                cell.append('|');
                i++;
            } else if (c == '|' && !isCode) {
                cells.add(cell.toString().strip());
                cell.setLength(0);
            } else {
                isCode ^= c == '`';
                cell.append(c);
            }
        }
        cells.add(cell.toString().strip());
        return cells;
    }

    private void quote() {
        var quoted = new StringBuilder();
        for (; at < lines.size() && lines.get(at).startsWith(">"); at++) {
            quoted.append(lines.get(at).substring(1).strip()).append(' ');
        }
        html.append("<blockquote><p>")
                .append(text(quoted.toString()))
                .append("</p></blockquote>\n");
    }

    private void list(int indent) {
        Matcher first = ITEM.matcher(lines.get(at));
        String tag = first.matches() && first.group(2) != null ? "ol" : "ul";
        html.append('<').append(tag).append(">\n");
        while (at < lines.size()) {
            Matcher item = ITEM.matcher(lines.get(at));
            if (!item.matches() || item.group(1).length() != indent) {
                break;
            }
            html.append("<li>").append(text(item.group(3)));
            at++;
            while (at < lines.size() && lines.get(at).startsWith(" ".repeat(indent + 1))) {
                Matcher inner = ITEM.matcher(lines.get(at));
                if (inner.matches()) {
                    list(inner.group(1).length());
                } else {
                    html.append(' ').append(text(lines.get(at).strip()));
                    at++;
                }
            }
            html.append("</li>\n");
        }
        html.append("</").append(tag).append(">\n");
    }

    private void paragraph() {
        var words = new StringBuilder();
        while (at < lines.size() && !lines.get(at).isBlank() && !startsBlock(lines.get(at))) {
            String line = lines.get(at);
            words.append(line.endsWith("  ") ? line.strip() + "\u0001" : line).append(' ');
            at++;
        }
        html.append("<p>").append(text(words.toString().strip())).append("</p>\n");
    }

    private static boolean startsBlock(String line) {
        return line.startsWith("```")
                || line.startsWith("|")
                || line.startsWith("<!--")
                || HEADING.matcher(line).matches();
    }

    /** A text with its spans, which is also searched. */
    private String text(String text) {
        sectionText.append(plain(text)).append(' ');
        return spans(text).replace("\u0001", "<br/>");
    }

    private static String plain(String text) {
        return text.replaceAll("!?\\[([^]]*)]\\([^)\\s]+\\)", "$1")
                .replaceAll("\\*\\*|`|\u0001", "")
                .replaceAll("(?<![\\w*])\\*([^*\\s][^*]*)\\*", "$1");
    }

    private String spans(String text) {
        var out = new StringBuilder();
        Matcher span = SPAN.matcher(text);
        int from = 0;
        while (span.find()) {
            out.append(escape(text.substring(from, span.start())));
            from = span.end();
            if (span.group(1) != null) {
                out.append("<code>").append(escape(span.group(1))).append("</code>");
            } else if (span.group(3) != null) {
                out.append(
                        "<img src=\"%s\" alt=\"%s\"/>"
                                .formatted(
                                        escape(links.apply(span.group(3))), escape(span.group(2))));
            } else if (span.group(5) != null) {
                out.append("<a href=\"").append(escape(links.apply(span.group(5))));
                out.append("\">").append(spans(span.group(4))).append("</a>");
            } else if (span.group(6) != null) {
                out.append("<strong>").append(spans(span.group(6))).append("</strong>");
            } else {
                out.append("<em>").append(spans(span.group(7))).append("</em>");
            }
        }
        return out.append(escape(text.substring(from))).toString();
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
