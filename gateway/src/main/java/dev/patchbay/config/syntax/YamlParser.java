package dev.patchbay.config.syntax;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.syntax.FindingCollector.Location;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Parses some of the top-level members of a YAML text to the same nodes as JSON. The other members
 * are skipped without a look at their values. A member is parsed strictly: block and flow
 * collections, and scalars of all kinds. Anchors, aliases, tags, directives, explicit keys and
 * several documents are errors, so that nothing is misunderstood.
 */
public final class YamlParser {
    private static final int DEPTH_MAX = 50;

    /** A line with more than white space and a comment. The end is without the line ending. */
    private record Line(int from, int indent, int to) {
        int content() {
            return from + indent;
        }
    }

    private final String text;
    private final List<Line> lines;
    private int at;
    private int depth;

    private YamlParser(String text) {
        this.text = text;
        lines = contentLines(text);
    }

    /** Parses the members with the given keys; null if there are errors, which are added. */
    public static SyntaxNode.@Nullable ObjectNode parse(
            String text, Set<String> keys, List<Finding> faults) {
        try {
            return new YamlParser(text).parseRoot(keys);
        } catch (YamlScalarParser.NotUnderstood e) {
            var findings = new FindingCollector(text);
            findings.add(
                    Kind.SYNTAX,
                    new Location("", e.offset()),
                    e.problem(),
                    "Rewrite it in simple YAML, or edit the file by hand");
            faults.addAll(findings.sorted());
            return null;
        }
    }

    private static List<Line> contentLines(String text) {
        var lines = new ArrayList<Line>();
        int from = text.startsWith("\uFEFF") ? 1 : 0;
        while (from < text.length()) {
            int end = endOfLine(text, from);
            int indent = 0;
            while (from + indent < end && text.charAt(from + indent) == ' ') {
                indent++;
            }
            if (!text.substring(from + indent, end).isBlank()) {
                lines.add(new Line(from, indent, end));
            }
            from = end + (text.startsWith("\r\n", end) ? 2 : 1);
        }
        return lines;
    }

    private static int endOfLine(String text, int from) {
        int end = from;
        while (end < text.length() && !JsoncParser.isLineEnd(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private SyntaxNode.ObjectNode parseRoot(Set<String> keys)
            throws YamlScalarParser.NotUnderstood {
        var members = new ArrayList<SyntaxNode.Member>();
        boolean seen = false;
        while (at < lines.size()) {
            Line line = lines.get(at);
            if (isComment(line) || (!seen && text.substring(line.from, line.to).equals("---"))) {
                at++;
                continue;
            }
            if (line.indent > 0 || isDash(line)) {
                throw fail(line.content(), "The file must contain one mapping");
            }
            SyntaxNode.StringNode name = parseKey(line, line.from);
            seen = true;
            if (!keys.contains(name.value())) {
                skipSection();
            } else if (members.stream().anyMatch(it -> it.name().value().equals(name.value()))) {
                throw fail(line.from, "Duplicate key");
            } else {
                members.add(new SyntaxNode.Member(name, parseMemberValue(line, name, 0), -1));
            }
        }
        return new SyntaxNode.ObjectNode(0, text.length(), List.copyOf(members));
    }

    /** Continues at the next line that begins a member of the root. */
    private void skipSection() {
        at++;
        while (at < lines.size()) {
            Line line = lines.get(at);
            char first = text.charAt(line.content());
            boolean continues =
                    line.indent > 0 || isDash(line) || "]}\t".indexOf(first) >= 0 || first == '#';
            if (!continues) {
                return;
            }
            at++;
        }
    }

    /** Parses a block collection or a scalar whose first line is the current one. */
    private SyntaxNode parseBlock(int parentIndent) throws YamlScalarParser.NotUnderstood {
        Line line = lines.get(at);
        if (++depth > DEPTH_MAX) {
            throw fail(line.content(), "Nested too deeply");
        }
        SyntaxNode node;
        if (isDash(line)) {
            node = parseSequence(line.indent);
        } else if (keyEnd(line.content(), line.to) >= 0) {
            node = parseMapping(line.content(), line.indent);
        } else {
            node = parseInline(line, line.content(), parentIndent);
        }
        depth--;
        return node;
    }

    /** Parses a mapping whose first key is at an offset in the current line. */
    private SyntaxNode parseMapping(int first, int indent) throws YamlScalarParser.NotUnderstood {
        var members = new ArrayList<SyntaxNode.Member>();
        int from = first;
        int to = first;
        while (true) {
            Line line = lines.get(at);
            SyntaxNode.StringNode name = parseKey(line, from);
            SyntaxNode value = parseMemberValue(line, name, indent);
            members.add(new SyntaxNode.Member(name, value, -1));
            to = Math.max(value.to(), keyEnd(name.from(), line.to) + 1);
            Line next = nextContent();
            if (next == null || next.indent < indent || isDash(next)) {
                return new SyntaxNode.ObjectNode(first, to, List.copyOf(members));
            }
            requireIndent(next, indent);
            from = next.content();
        }
    }

    private SyntaxNode parseSequence(int indent) throws YamlScalarParser.NotUnderstood {
        int first = lines.get(at).content();
        int to = first;
        var elements = new ArrayList<SyntaxNode>();
        while (true) {
            Line line = lines.get(at);
            SyntaxNode element = parseElement(line, indent);
            elements.add(element);
            to = Math.max(element.to(), line.content() + 1);
            Line next = nextContent();
            if (next == null || next.indent < indent || (next.indent == indent && !isDash(next))) {
                return new SyntaxNode.ArrayNode(first, to, List.copyOf(elements));
            }
            requireIndent(next, indent);
        }
    }

    private SyntaxNode parseElement(Line line, int indent) throws YamlScalarParser.NotUnderstood {
        int offset = YamlScalarParser.skipSpaces(text, line.content() + 1);
        if (isEndOrComment(offset, line.to)) {
            return parseNested(indent, line.content() + 1, false);
        }
        if (text.startsWith("- ", offset)) {
            throw fail(offset, "Sequences on one line are not supported");
        }
        if (keyEnd(offset, line.to) >= 0) {
            return parseMapping(offset, offset - line.from);
        }
        return parseInline(line, offset, indent);
    }

    private SyntaxNode parseMemberValue(Line line, SyntaxNode.StringNode name, int indent)
            throws YamlScalarParser.NotUnderstood {
        int colon = keyEnd(name.from(), line.to);
        int offset = YamlScalarParser.skipSpaces(text, colon + 1);
        return isEndOrComment(offset, line.to)
                ? parseNested(indent, colon + 1, true)
                : parseInline(line, offset, indent);
    }

    /** Parses what stands below a key or a dash; nothing there is null. */
    private SyntaxNode parseNested(int indent, int empty, boolean dashesMayAlign)
            throws YamlScalarParser.NotUnderstood {
        at++;
        Line next = nextContent();
        boolean inside =
                next != null
                        && (next.indent > indent
                                || (dashesMayAlign && next.indent == indent && isDash(next)));
        return inside ? parseBlock(indent) : new SyntaxNode.NullNode(empty, empty);
    }

    /** Parses a value that begins in a line, and continues after its last line. */
    private SyntaxNode parseInline(Line line, int offset, int indent)
            throws YamlScalarParser.NotUnderstood {
        var scalars = new YamlScalarParser(text, DEPTH_MAX);
        char first = text.charAt(offset);
        SyntaxNode value;
        if (first == '|' || first == '>') {
            value = scalars.parseBlockScalar(offset, indent);
        } else if ("[{\"'".indexOf(first) >= 0) {
            value = scalars.parseFlow(offset);
            int rest = YamlScalarParser.skipSpaces(text, value.to());
            if (!isEndOrComment(rest, endOfLine(text, value.to()))) {
                throw fail(rest, "Unexpected text after a value");
            }
        } else {
            value = scalars.parsePlain(offset, indent);
        }
        while (at < lines.size() && lines.get(at).from < Math.max(value.to(), line.to)) {
            at++;
        }
        return value;
    }

    /** The current line, without comments before it; null at the end. */
    private @Nullable Line nextContent() {
        while (at < lines.size() && isComment(lines.get(at))) {
            at++;
        }
        return at < lines.size() ? lines.get(at) : null;
    }

    private void requireIndent(Line line, int indent) throws YamlScalarParser.NotUnderstood {
        if (line.indent != indent) {
            throw fail(line.content(), "Unexpected indentation");
        }
    }

    private SyntaxNode.StringNode parseKey(Line line, int offset)
            throws YamlScalarParser.NotUnderstood {
        int colon = keyEnd(offset, line.to);
        if (colon < 0) {
            throw fail(offset, "Missing key");
        }
        return YamlScalarParser.parseKey(text, offset, colon);
    }

    /** The offset of the colon after a key that begins at an offset; -1 if there is no key. */
    private int keyEnd(int offset, int lineEnd) {
        return YamlScalarParser.findKeyEnd(text, offset, lineEnd);
    }

    private boolean isDash(Line line) {
        int offset = line.content();
        return text.charAt(offset) == '-'
                && (offset + 1 == line.to || " \t".indexOf(text.charAt(offset + 1)) >= 0);
    }

    private boolean isComment(Line line) {
        return text.charAt(line.content()) == '#';
    }

    private boolean isEndOrComment(int offset, int lineEnd) {
        return offset >= lineEnd || text.charAt(offset) == '#';
    }

    private static YamlScalarParser.NotUnderstood fail(int offset, String problem) {
        return new YamlScalarParser.NotUnderstood(offset, problem);
    }
}
