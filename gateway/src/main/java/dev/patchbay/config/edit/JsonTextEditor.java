package dev.patchbay.config.edit;

import dev.patchbay.config.syntax.JsonLayout;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.json.Json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Changes members of objects in a text and leaves every other byte as it is. */
final class JsonTextEditor {
    /** A range of the text and its replacement. */
    private record Replacement(int from, int to, String replacement) {}

    private final String text;
    private final JsonLayout layout;
    private final List<Replacement> replacements = new ArrayList<>();

    JsonTextEditor(String text) {
        this.text = text;
        layout = JsonLayout.detect(text);
    }

    /** The text with all changes applied. */
    String editedText() {
        var out = new StringBuilder();
        int at = 0;
        replacements.sort(Comparator.comparingInt(Replacement::from));
        for (Replacement edit : replacements) {
            out.append(text, at, edit.from()).append(edit.replacement());
            at = edit.to();
        }
        return out.append(text, at, text.length()).toString();
    }

    void replace(SyntaxNode node, String replacement) {
        replacements.add(new Replacement(node.from(), node.to(), replacement));
    }

    /** Replaces the value of a member, in the layout of the file. */
    void replaceValue(SyntaxNode.Member member, Json value) {
        boolean oneLine = !hasLineEnd(member.value().from(), member.value().to());
        String indent = indentOfLine(member.name().from());
        replace(
                member.value(),
                oneLine ? JsonLayout.formatOnOneLine(value) : layout.format(value, indent));
    }

    /** Adds a member after the last one, in the layout of the object. */
    void insert(SyntaxNode.ObjectNode table, String name, Json value) {
        int close = table.to() - 1;
        int contentEnd = startOfSpaceBefore(close);
        boolean oneLine = !hasLineEnd(table.from(), table.to());
        boolean wholeOneLine = !hasLineEnd(0, startOfSpaceBefore(text.length()));
        String quoted = JsonLayout.quote(name) + ": ";
        if (oneLine && (!table.members().isEmpty() || wholeOneLine)) {
            insertOnSameLine(table, quoted + JsonLayout.formatOnOneLine(value));
            return;
        }
        String outer = indentOfLine(table.from());
        String indent = outer + layout.indentUnit();
        boolean trailing = false;
        if (!table.members().isEmpty()) {
            SyntaxNode.Member last = table.members().getLast();
            trailing = last.commaOffset() >= 0;
            if (!trailing) {
                replacements.add(new Replacement(last.value().to(), last.value().to(), ","));
            }
            if (isFirstOnLine(last.name().from())) {
                indent = indentOfLine(last.name().from());
            }
        }
        String member = layout.lineEnd() + indent + quoted + layout.format(value, indent);
        String closing = isFirstOnLine(close) ? "" : layout.lineEnd() + outer;
        replacements.add(
                new Replacement(contentEnd, contentEnd, member + (trailing ? "," : "") + closing));
    }

    private void insertOnSameLine(SyntaxNode.ObjectNode table, String member) {
        if (table.members().isEmpty()) {
            int at = startOfSpaceBefore(table.to() - 1);
            replacements.add(new Replacement(at, at, member));
            return;
        }
        SyntaxNode.Member last = table.members().getLast();
        boolean trailing = last.commaOffset() >= 0;
        int at = trailing ? last.commaOffset() + 1 : last.value().to();
        replacements.add(new Replacement(at, at, (trailing ? " " : ", ") + member));
    }

    /** Removes a member, and its line if nothing else is on it. */
    void remove(SyntaxNode.ObjectNode table, SyntaxNode.Member member) {
        int index = table.members().indexOf(member);
        boolean last = index == table.members().size() - 1;
        if (last && member.commaOffset() < 0 && index > 0) {
            int comma = table.members().get(index - 1).commaOffset();
            replacements.add(new Replacement(comma, comma + 1, ""));
        }
        int from = member.name().from();
        int to = member.value().to();
        if (member.commaOffset() >= 0) {
            if (text.substring(to, member.commaOffset()).isBlank()) {
                to = member.commaOffset() + 1;
            } else {
                replacements.add(
                        new Replacement(member.commaOffset(), member.commaOffset() + 1, ""));
            }
        }
        int lineEnd = to + JsonLayout.indentAt(text, to).length();
        boolean restIsEmpty =
                lineEnd == text.length() || JsoncParser.isLineEnd(text.charAt(lineEnd));
        if (isFirstOnLine(from) && restIsEmpty) {
            from = JsonLayout.lineStart(text, from);
            to = afterLineEnd(lineEnd);
        } else if (last) {
            int before = from - 1;
            while (text.charAt(before) == ' ' || text.charAt(before) == '\t') {
                before--;
            }
            from = isFirstOnLine(from) ? from : before + 1;
        } else {
            to = lineEnd;
        }
        replacements.add(new Replacement(from, to, ""));
    }

    private int afterLineEnd(int lineEnd) {
        if (lineEnd == text.length()) {
            return lineEnd;
        }
        return lineEnd + (text.startsWith("\r\n", lineEnd) ? 2 : 1);
    }

    /** The start of the whitespace before a position. */
    private int startOfSpaceBefore(int end) {
        int at = end;
        while (at > 0 && " \t\r\n".indexOf(text.charAt(at - 1)) >= 0) {
            at--;
        }
        return at;
    }

    private boolean hasLineEnd(int from, int to) {
        return text.substring(from, to).chars().anyMatch(c -> JsoncParser.isLineEnd((char) c));
    }

    private boolean isFirstOnLine(int offset) {
        int start = JsonLayout.lineStart(text, offset);
        return start + JsonLayout.indentAt(text, start).length() == offset;
    }

    private String indentOfLine(int offset) {
        return JsonLayout.indentAt(text, JsonLayout.lineStart(text, offset));
    }
}
