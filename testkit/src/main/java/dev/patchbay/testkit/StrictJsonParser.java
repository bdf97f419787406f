package dev.patchbay.testkit;

import dev.patchbay.testkit.JsonTree.Arr;
import dev.patchbay.testkit.JsonTree.Literal;
import dev.patchbay.testkit.JsonTree.Member;
import dev.patchbay.testkit.JsonTree.Num;
import dev.patchbay.testkit.JsonTree.Obj;
import dev.patchbay.testkit.JsonTree.Str;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The grammar of RFC 8259 over decoded text, with a stack of its own. Besides the tree it tells
 * what the grammar allows and a careful receiver does not: duplicate names, depth, lone surrogates.
 * Containers deeper than {@code keptDepthMax} are checked and left out of the tree.
 */
final class StrictJsonParser {
    private final String text;
    private final int treeDepthMax;
    private final BitSet isObjectAtDepth = new BitSet();
    private final List<Container> openContainers = new ArrayList<>();
    private int position;
    private int depth;
    private int depthMax;
    private int tokens;
    private int numberCharsMax;
    private int nameCharsMax;
    private boolean hasLoneSurrogate;
    private @Nullable String duplicateName;
    private @Nullable JsonTree topId;
    private int topIdPosition;

    StrictJsonParser(String text, int keptDepthMax) {
        this.text = text;
        this.treeDepthMax = keptDepthMax;
    }

    /** A container of the tree while it is being read. */
    private static final class Container {
        final List<Member> members = new ArrayList<>();
        final List<JsonTree> items = new ArrayList<>();
        final Set<String> names = new HashSet<>();
        String name = "";
    }

    /** Reads one value that fills the text, with blanks around it. */
    JsonTree parseDocument() {
        skipBlanks();
        JsonTree value = parseValue();
        skipBlanks();
        if (position < text.length()) {
            throw StrictJsonException.syntax("Text after the value", position);
        }
        return value;
    }

    /** The text of a member of the object that fills the text. */
    Optional<String> rawMember(String wanted) {
        skipBlanks();
        if (position >= text.length() || text.charAt(position) != '{') {
            return Optional.empty();
        }
        do {
            position++;
            skipBlanks();
            if (peek() == '}') {
                return Optional.empty();
            }
            String name = parseMemberName();
            int start = position;
            parseValue();
            if (name.equals(wanted)) {
                return Optional.of(text.substring(start, position));
            }
            skipBlanks();
        } while (peek() == ',');
        return Optional.empty();
    }

    int depthMax() {
        return depthMax;
    }

    Optional<String> duplicateName() {
        return Optional.ofNullable(duplicateName);
    }

    boolean hasLoneSurrogate() {
        return hasLoneSurrogate;
    }

    int tokens() {
        return tokens;
    }

    int numberCharsMax() {
        return numberCharsMax;
    }

    int nameCharsMax() {
        return nameCharsMax;
    }

    /** The first scalar {@code id} of the outermost object, also if a fault came after it. */
    Optional<JsonTree> topId() {
        return Optional.ofNullable(topId);
    }

    /** Where the value of {@link #topId} starts. */
    int topIdPosition() {
        return topIdPosition;
    }

    private JsonTree parseValue() {
        int outside = depth;
        while (true) {
            JsonTree done = beginValue();
            while (done != null) {
                if (depth == outside) {
                    return done;
                }
                done = addToContainer(done);
            }
        }
    }

    /** Starts a value: a scalar or an empty container is done at once, another is opened. */
    private @Nullable JsonTree beginValue() {
        tokens++;
        char c = peek();
        if (c != '{' && c != '[') {
            return parseScalar(c);
        }
        position++;
        isObjectAtDepth.set(depth, c == '{');
        depth++;
        depthMax = Math.max(depthMax, depth);
        if (depth <= treeDepthMax) {
            openContainers.add(new Container());
        }
        skipBlanks();
        if (peek() == (c == '{' ? '}' : ']')) {
            return closeContainer();
        }
        if (c == '{') {
            enterMember();
        }
        return null;
    }

    /** Puts a finished value into its container; returns the container if that is finished too. */
    private @Nullable JsonTree addToContainer(JsonTree done) {
        boolean object = isObjectAtDepth.get(depth - 1);
        if (depth <= treeDepthMax) {
            add(openContainers.get(depth - 1), object, done);
        }
        skipBlanks();
        char c = peek();
        if (c == (object ? '}' : ']')) {
            return closeContainer();
        }
        if (c != ',') {
            throw StrictJsonException.syntax(
                    "Expected a comma or the end of the container", position);
        }
        position++;
        skipBlanks();
        if (object) {
            enterMember();
        }
        return null;
    }

    private void add(Container container, boolean object, JsonTree done) {
        if (!object) {
            container.items.add(done);
            return;
        }
        container.members.add(new Member(container.name, done));
        boolean scalar = !(done instanceof Obj) && !(done instanceof Arr);
        if (depth == 1 && topId == null && scalar && container.name.equals("id")) {
            topId = done;
        }
    }

    private JsonTree closeContainer() {
        position++;
        boolean object = isObjectAtDepth.get(depth - 1);
        depth--;
        if (depth >= treeDepthMax) {
            return Literal.NULL;
        }
        Container container = openContainers.remove(depth);
        return object ? new Obj(container.members) : new Arr(container.items);
    }

    private void enterMember() {
        String name = parseMemberName();
        if (depth > treeDepthMax) {
            return;
        }
        Container container = openContainers.get(depth - 1);
        container.name = name;
        if (!container.names.add(name) && duplicateName == null) {
            duplicateName = name;
        }
        if (depth == 1 && topId == null && name.equals("id")) {
            topIdPosition = position;
        }
    }

    /** Reads a name, its colon and the blanks around that. */
    private String parseMemberName() {
        if (peek() != '"') {
            throw StrictJsonException.syntax("Expected a member name", position);
        }
        String name = parseString();
        nameCharsMax = Math.max(nameCharsMax, name.length());
        skipBlanks();
        if (peek() != ':') {
            throw StrictJsonException.syntax("Expected a colon", position);
        }
        position++;
        skipBlanks();
        return name;
    }

    private JsonTree parseScalar(char c) {
        return switch (c) {
            case '"' -> new Str(parseString());
            case 't' -> parseWord("true", Literal.TRUE);
            case 'f' -> parseWord("false", Literal.FALSE);
            case 'n' -> parseWord("null", Literal.NULL);
            default -> parseNumber();
        };
    }

    private JsonTree parseWord(String word, Literal literal) {
        if (!text.startsWith(word, position)) {
            throw StrictJsonException.syntax("Unknown word", position);
        }
        position += word.length();
        return literal;
    }

    private JsonTree parseNumber() {
        int start = position;
        skip('-');
        if (!skip('0')) {
            skipDigits();
        }
        if (skip('.')) {
            skipDigits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            skipDigits();
        }
        numberCharsMax = Math.max(numberCharsMax, position - start);
        return new Num(text.substring(start, position));
    }

    private boolean skip(char c) {
        boolean here = position < text.length() && text.charAt(position) == c;
        position += here ? 1 : 0;
        return here;
    }

    private void skipDigits() {
        int start = position;
        while (position < text.length()
                && text.charAt(position) >= '0'
                && text.charAt(position) <= '9') {
            position++;
        }
        if (position == start) {
            throw StrictJsonException.syntax("Expected a value", position);
        }
    }

    private String parseString() {
        var value = new StringBuilder();
        position++;
        while (peek() != '"') {
            char c = text.charAt(position++);
            if (c < 0x20) {
                throw StrictJsonException.syntax("Raw control character in a string", position - 1);
            }
            value.append(c == '\\' ? parseEscape() : c);
        }
        position++;
        String decoded = value.toString();
        hasLoneSurrogate = hasLoneSurrogate || containsLoneSurrogate(decoded);
        return decoded;
    }

    private char parseEscape() {
        char c = peek();
        position++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> parseUnicodeEscape();
            default -> throw StrictJsonException.syntax("Unknown escape", position - 1);
        };
    }

    private char parseUnicodeEscape() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw StrictJsonException.syntax("Expected four hexadecimal digits", position);
            }
            code = code * 16 + digit;
            position++;
        }
        return (char) code;
    }

    private static boolean containsLoneSurrogate(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (Character.isHighSurrogate(c)
                    && i + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(c)) {
                return true;
            }
        }
        return false;
    }

    private char peek() {
        if (position >= text.length()) {
            throw StrictJsonException.syntax("Unexpected end", position);
        }
        return text.charAt(position);
    }

    private void skipBlanks() {
        while (position < text.length()) {
            char c = text.charAt(position);
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
                return;
            }
            position++;
        }
    }
}
