package dev.patchbay.schema;

import dev.patchbay.json.ElementCursor;
import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A JSON value with its location and cached properties. Its children are read on first use. Not
 * thread-safe.
 */
final class ValueNode {
    private static final int LINEAR_SEARCH_MAX = 8;
    private static final int POINTER_CHARS_MAX = 200;

    final Json json;
    final Kind kind;

    /** The name in the parent object; empty for array elements and the root. */
    final String name;

    /** The position among the parent's children. */
    final int index;

    private final @Nullable ValueNode parent;
    private @Nullable List<ValueNode> children;
    private @Nullable Map<String, ValueNode> byName;
    private @Nullable String text;
    private @Nullable Decimal number;

    private boolean nullAccepted;
    private boolean nullRejected;
    private Set<String> removedNames = Set.of();

    ValueNode(Json json) {
        this(json, null, "", 0);
    }

    private ValueNode(Json json, @Nullable ValueNode parent, String name, int index) {
        this.json = json;
        this.kind = json.kind();
        this.parent = parent;
        this.name = name;
        this.index = index;
    }

    /** The name of a member as a value at the member's location. */
    ValueNode nameAsValue() {
        return new ValueNode(Json.string(name), parent, name, index);
    }

    @Nullable ValueNode parent() {
        return parent;
    }

    boolean hasReadChildren() {
        return children != null;
    }

    /** The members of an object or the elements of an array; empty otherwise. */
    List<ValueNode> children() {
        List<ValueNode> known = children;
        return known == null ? readChildren(Integer.MAX_VALUE) : known;
    }

    /** Reads the children, up to a limit. */
    List<ValueNode> readChildren(int childrenMax) {
        var found = new ArrayList<ValueNode>();
        if (kind == Kind.OBJECT) {
            MemberCursor cursor = json.memberCursor();
            while (cursor.next()) {
                checkLimit(found, childrenMax);
                found.add(new ValueNode(cursor.value(), this, cursor.name(), found.size()));
            }
        } else if (kind == Kind.ARRAY) {
            ElementCursor cursor = json.elementCursor();
            while (cursor.next()) {
                checkLimit(found, childrenMax);
                found.add(new ValueNode(cursor.value(), this, "", found.size()));
            }
        }
        children = found;
        return found;
    }

    private static void checkLimit(List<ValueNode> found, int childrenMax) {
        if (found.size() >= childrenMax) {
            throw new BudgetExceededException();
        }
    }

    @Nullable ValueNode member(String wanted) {
        if (kind != Kind.OBJECT) {
            return null;
        }
        List<ValueNode> members = children();
        if (members.size() > LINEAR_SEARCH_MAX) {
            return index().get(wanted);
        }
        for (ValueNode member : members) {
            if (member.name.equals(wanted)) {
                return member;
            }
        }
        return null;
    }

    private Map<String, ValueNode> index() {
        Map<String, ValueNode> index = byName;
        if (index == null) {
            index = HashMap.newHashMap(children().size());
            for (ValueNode member : children()) {
                index.put(member.name, member);
            }
            byName = index;
        }
        return index;
    }

    /** The decoded text of a string. */
    String text() {
        String known = text;
        if (known == null) {
            known = json.text();
            text = known;
        }
        return known;
    }

    Decimal number() {
        Decimal known = number;
        if (known == null) {
            known = Decimal.of(json.toString());
            number = known;
        }
        return known;
    }

    /** Whether this is a number without a fraction, in any spelling. */
    boolean isInteger() {
        return kind == Kind.NUMBER && (isPlainInteger(json) || number().isInteger());
    }

    /** Whether a number is written with digits only. */
    static boolean isPlainInteger(Json number) {
        for (int i = 0; i < number.length(); i++) {
            byte c = number.byteAt(i);
            if ((c < '0' || c > '9') && c != '-') {
                return false;
            }
        }
        return true;
    }

    /** Records whether the schema of this optional null property allows null. */
    void recordNullResult(boolean taken) {
        nullAccepted |= taken;
        nullRejected |= !taken;
    }

    /**
     * Removes optional null properties whose schemas do not allow null; returns whether there were
     * any.
     */
    boolean removeRejectedNulls() {
        List<ValueNode> known = children;
        if (known == null) {
            return false;
        }
        var kept = new ArrayList<ValueNode>(known.size());
        boolean any = false;
        for (ValueNode child : known) {
            if (child.nullRejected && !child.nullAccepted) {
                addRemovedName(child.name);
                any = true;
            } else {
                any |= child.removeRejectedNulls();
                kept.add(child);
            }
        }
        children = kept;
        byName = null;
        return any;
    }

    private void addRemovedName(String child) {
        if (removedNames.isEmpty()) {
            removedNames = new HashSet<>();
        }
        removedNames.add(child);
    }

    /** Whether a member with this name was removed because it is null. */
    boolean hasRemoved(String wanted) {
        return removedNames.contains(wanted);
    }

    /** The JSON pointer of this value, shortened. */
    String pointer() {
        return pointer(this).toString();
    }

    /** The JSON pointer of a child, which need not exist, shortened. */
    String pointerTo(String child) {
        return appendToken(pointer(this), child).toString();
    }

    private static StringBuilder pointer(ValueNode place) {
        var path = new ArrayDeque<ValueNode>();
        for (ValueNode at = place; at.parent != null; at = at.parent) {
            path.push(at);
        }
        var pointer = new StringBuilder();
        for (ValueNode at : path) {
            appendToken(pointer, at.isElement() ? Integer.toString(at.index) : at.name);
        }
        return pointer;
    }

    private boolean isElement() {
        return parent != null && parent.kind == Kind.ARRAY;
    }

    private static StringBuilder appendToken(StringBuilder pointer, String token) {
        if (pointer.length() > POINTER_CHARS_MAX) {
            return pointer;
        }
        String shown = DisplayText.truncate(token, POINTER_CHARS_MAX);
        return pointer.append('/').append(shown.replace("~", "~0").replace("/", "~1"));
    }
}
