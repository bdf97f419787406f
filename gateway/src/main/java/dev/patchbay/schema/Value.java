package dev.patchbay.schema;

import dev.patchbay.json.Elements;
import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;
import dev.patchbay.json.Members;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A JSON value with its place in the whole, and with what was found out about it so far. It opens
 * its children when they are first asked for. Belongs to one thread.
 */
final class Value {
    private static final int LINEAR_MAX = 8;
    private static final int POINTER_CHARS_MAX = 200;

    final Json json;
    final Kind kind;

    /** The name within the parent object; empty for an element and for the root. */
    final String name;

    /** The position among the children of the parent. */
    final int index;

    private final @Nullable Value parent;
    private @Nullable List<Value> children;
    private @Nullable Map<String, Value> byName;
    private @Nullable String text;
    private @Nullable Decimal number;

    private boolean nullTaken;
    private boolean nullRefused;
    private Set<String> dropped = Set.of();

    Value(Json json) {
        this(json, null, "", 0);
    }

    private Value(Json json, @Nullable Value parent, String name, int index) {
        this.json = json;
        this.kind = json.kind();
        this.parent = parent;
        this.name = name;
        this.index = index;
    }

    /** The name of a member as a value, which stands where the member stands. */
    Value nameAsValue() {
        return new Value(Json.string(name), parent, name, index);
    }

    @Nullable Value parent() {
        return parent;
    }

    boolean isOpen() {
        return children != null;
    }

    /** The members of an object or the elements of an array; nothing for anything else. */
    List<Value> children() {
        List<Value> known = children;
        return known == null ? open(Integer.MAX_VALUE) : known;
    }

    /** Makes the children, of which there must not be too many. */
    List<Value> open(int childrenMax) {
        var found = new ArrayList<Value>();
        if (kind == Kind.OBJECT) {
            Members cursor = json.walk();
            while (cursor.next()) {
                limit(found, childrenMax);
                found.add(new Value(cursor.value(), this, cursor.name(), found.size()));
            }
        } else if (kind == Kind.ARRAY) {
            Elements cursor = json.walkElements();
            while (cursor.next()) {
                limit(found, childrenMax);
                found.add(new Value(cursor.value(), this, "", found.size()));
            }
        }
        children = found;
        return found;
    }

    private static void limit(List<Value> found, int childrenMax) {
        if (found.size() >= childrenMax) {
            throw new BudgetException();
        }
    }

    @Nullable Value member(String wanted) {
        if (kind != Kind.OBJECT) {
            return null;
        }
        List<Value> members = children();
        if (members.size() > LINEAR_MAX) {
            return index().get(wanted);
        }
        for (Value member : members) {
            if (member.name.equals(wanted)) {
                return member;
            }
        }
        return null;
    }

    private Map<String, Value> index() {
        Map<String, Value> index = byName;
        if (index == null) {
            index = HashMap.newHashMap(children().size());
            for (Value member : children()) {
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

    /** Whether this is a number without a fraction, however it is written. */
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

    /** Notes what the schema of this optional property, which is null, thinks of null. */
    void judgeNull(boolean taken) {
        nullTaken |= taken;
        nullRefused |= !taken;
    }

    /**
     * Takes every optional property away that is null where its schema does not want null. Returns
     * whether there was one.
     */
    boolean dropNulls() {
        List<Value> known = children;
        if (known == null) {
            return false;
        }
        var kept = new ArrayList<Value>(known.size());
        boolean any = false;
        for (Value child : known) {
            if (child.nullRefused && !child.nullTaken) {
                drop(child.name);
                any = true;
            } else {
                any |= child.dropNulls();
                kept.add(child);
            }
        }
        children = kept;
        byName = null;
        return any;
    }

    private void drop(String child) {
        if (dropped.isEmpty()) {
            dropped = new HashSet<>();
        }
        dropped.add(child);
    }

    /** Whether a member of that name is there, but is null and counts as absent. */
    boolean hasDropped(String wanted) {
        return dropped.contains(wanted);
    }

    /** The JSON pointer from the root to here, cut if it is long. */
    String pointer() {
        return pointer(this).toString();
    }

    /** The JSON pointer of a child, which need not be there; cut if it is long. */
    String pointerTo(String child) {
        return token(pointer(this), child).toString();
    }

    private static StringBuilder pointer(Value place) {
        var path = new ArrayDeque<Value>();
        for (Value at = place; at.parent != null; at = at.parent) {
            path.push(at);
        }
        var pointer = new StringBuilder();
        for (Value at : path) {
            token(pointer, at.isElement() ? Integer.toString(at.index) : at.name);
        }
        return pointer;
    }

    private boolean isElement() {
        return parent != null && parent.kind == Kind.ARRAY;
    }

    private static StringBuilder token(StringBuilder pointer, String token) {
        if (pointer.length() > POINTER_CHARS_MAX) {
            return pointer;
        }
        String shown = Text.cut(token, POINTER_CHARS_MAX);
        return pointer.append('/').append(shown.replace("~", "~0").replace("/", "~1"));
    }
}
