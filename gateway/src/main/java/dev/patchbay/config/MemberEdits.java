package dev.patchbay.config;

import dev.patchbay.json.Json;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Changes to the members of objects in a text that leave every other byte as it is. */
final class MemberEdits {
    /** One piece of the text and what stands there instead. */
    private record Edit(int from, int to, String replacement) {}

    private final String text;
    private final Layout layout;
    private final List<Edit> edits = new ArrayList<>();

    MemberEdits(String text) {
        this.text = text;
        layout = Layout.of(text);
    }

    /** The text with all changes made. */
    String result() {
        var out = new StringBuilder();
        int at = 0;
        edits.sort(Comparator.comparingInt(Edit::from));
        for (Edit edit : edits) {
            out.append(text, at, edit.from()).append(edit.replacement());
            at = edit.to();
        }
        return out.append(text, at, text.length()).toString();
    }

    void replace(Node node, String replacement) {
        edits.add(new Edit(node.from(), node.to(), replacement));
    }

    /** Gives a member another value, laid out as the file is. */
    void redefine(Node.Member member, Json value) {
        boolean oneLine = !hasLineEnd(member.value().from(), member.value().to());
        String indent = indentOfLine(member.name().from());
        replace(member.value(), oneLine ? Layout.oneLine(value) : layout.pretty(value, indent));
    }

    /** Adds a member behind the last one, in the way the object is written. */
    void insert(Node.Table table, String name, Json value) {
        int close = table.to() - 1;
        int contentEnd = spaceStart(close);
        boolean oneLine = !hasLineEnd(table.from(), table.to());
        boolean wholeOneLine = !hasLineEnd(0, spaceStart(text.length()));
        String quoted = Layout.quote(name) + ": ";
        if (oneLine && (!table.members().isEmpty() || wholeOneLine)) {
            insertOnTheLine(table, quoted + Layout.oneLine(value));
            return;
        }
        String outer = indentOfLine(table.from());
        String indent = outer + layout.unit();
        boolean trailing = false;
        if (!table.members().isEmpty()) {
            Node.Member last = table.members().getLast();
            trailing = last.comma() >= 0;
            if (!trailing) {
                edits.add(new Edit(last.value().to(), last.value().to(), ","));
            }
            if (isFirstOnLine(last.name().from())) {
                indent = indentOfLine(last.name().from());
            }
        }
        String member = layout.lineEnd() + indent + quoted + layout.pretty(value, indent);
        String closing = isFirstOnLine(close) ? "" : layout.lineEnd() + outer;
        edits.add(new Edit(contentEnd, contentEnd, member + (trailing ? "," : "") + closing));
    }

    private void insertOnTheLine(Node.Table table, String member) {
        if (table.members().isEmpty()) {
            int at = spaceStart(table.to() - 1);
            edits.add(new Edit(at, at, member));
            return;
        }
        Node.Member last = table.members().getLast();
        boolean trailing = last.comma() >= 0;
        int at = trailing ? last.comma() + 1 : last.value().to();
        edits.add(new Edit(at, at, (trailing ? " " : ", ") + member));
    }

    /** Takes a member out, with the line it stands on if nothing else does. */
    void remove(Node.Table table, Node.Member member) {
        int index = table.members().indexOf(member);
        boolean last = index == table.members().size() - 1;
        if (last && member.comma() < 0 && index > 0) {
            int comma = table.members().get(index - 1).comma();
            edits.add(new Edit(comma, comma + 1, ""));
        }
        int from = member.name().from();
        int to = member.value().to();
        if (member.comma() >= 0) {
            if (text.substring(to, member.comma()).isBlank()) {
                to = member.comma() + 1;
            } else {
                edits.add(new Edit(member.comma(), member.comma() + 1, ""));
            }
        }
        int lineEnd = to + Layout.indentAt(text, to).length();
        boolean restIsEmpty = lineEnd == text.length() || Jsonc.isLineEnd(text.charAt(lineEnd));
        if (isFirstOnLine(from) && restIsEmpty) {
            from = Layout.lineStart(text, from);
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
        edits.add(new Edit(from, to, ""));
    }

    private int afterLineEnd(int lineEnd) {
        if (lineEnd == text.length()) {
            return lineEnd;
        }
        return lineEnd + (text.startsWith("\r\n", lineEnd) ? 2 : 1);
    }

    /** Where the space before a place begins. */
    private int spaceStart(int end) {
        int at = end;
        while (at > 0 && " \t\r\n".indexOf(text.charAt(at - 1)) >= 0) {
            at--;
        }
        return at;
    }

    private boolean hasLineEnd(int from, int to) {
        return text.substring(from, to).chars().anyMatch(c -> Jsonc.isLineEnd((char) c));
    }

    private boolean isFirstOnLine(int offset) {
        int start = Layout.lineStart(text, offset);
        return start + Layout.indentAt(text, start).length() == offset;
    }

    private String indentOfLine(int offset) {
        return Layout.indentAt(text, Layout.lineStart(text, offset));
    }
}
