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
final class JsonParser {
    private final String text;
    private final int keptDepthMax;
    private final BitSet objectAt = new BitSet();
    private final List<Container> kept = new ArrayList<>();
    private int at;
    private int depth;
    private int depthSeen;
    private int tokens;
    private int numberCharsMax;
    private int nameCharsMax;
    private boolean loneSurrogate;
    private @Nullable String duplicate;
    private @Nullable JsonTree topId;
    private int topIdAt;

    JsonParser(String text, int keptDepthMax) {
        this.text = text;
        this.keptDepthMax = keptDepthMax;
    }

    /** A container of the tree while it is being read. */
    private static final class Container {
        final List<Member> members = new ArrayList<>();
        final List<JsonTree> items = new ArrayList<>();
        final Set<String> names = new HashSet<>();
        String name = "";
    }

    /** Reads one value that fills the text, with blanks around it. */
    JsonTree document() {
        blanks();
        JsonTree value = value();
        blanks();
        if (at < text.length()) {
            throw JsonFault.syntax("Text after the value", at);
        }
        return value;
    }

    /** The text of a member of the object that fills the text. */
    Optional<String> rawMember(String wanted) {
        blanks();
        if (at >= text.length() || text.charAt(at) != '{') {
            return Optional.empty();
        }
        do {
            at++;
            blanks();
            if (peek() == '}') {
                return Optional.empty();
            }
            String name = memberName();
            int start = at;
            value();
            if (name.equals(wanted)) {
                return Optional.of(text.substring(start, at));
            }
            blanks();
        } while (peek() == ',');
        return Optional.empty();
    }

    int depthSeen() {
        return depthSeen;
    }

    Optional<String> duplicate() {
        return Optional.ofNullable(duplicate);
    }

    boolean loneSurrogate() {
        return loneSurrogate;
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
    int topIdAt() {
        return topIdAt;
    }

    private JsonTree value() {
        int outside = depth;
        while (true) {
            JsonTree done = begin();
            while (done != null) {
                if (depth == outside) {
                    return done;
                }
                done = accept(done);
            }
        }
    }

    /** Starts a value: a scalar or an empty container is done at once, another is opened. */
    private @Nullable JsonTree begin() {
        tokens++;
        char c = peek();
        if (c != '{' && c != '[') {
            return scalar(c);
        }
        at++;
        objectAt.set(depth, c == '{');
        depth++;
        depthSeen = Math.max(depthSeen, depth);
        if (depth <= keptDepthMax) {
            kept.add(new Container());
        }
        blanks();
        if (peek() == (c == '{' ? '}' : ']')) {
            return close();
        }
        if (c == '{') {
            enterMember();
        }
        return null;
    }

    /** Puts a finished value into its container; returns the container if that is finished too. */
    private @Nullable JsonTree accept(JsonTree done) {
        boolean object = objectAt.get(depth - 1);
        if (depth <= keptDepthMax) {
            add(kept.get(depth - 1), object, done);
        }
        blanks();
        char c = peek();
        if (c == (object ? '}' : ']')) {
            return close();
        }
        if (c != ',') {
            throw JsonFault.syntax("Expected a comma or the end of the container", at);
        }
        at++;
        blanks();
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

    private JsonTree close() {
        at++;
        boolean object = objectAt.get(depth - 1);
        depth--;
        if (depth >= keptDepthMax) {
            return Literal.NULL;
        }
        Container container = kept.remove(depth);
        return object ? new Obj(container.members) : new Arr(container.items);
    }

    private void enterMember() {
        String name = memberName();
        if (depth > keptDepthMax) {
            return;
        }
        Container container = kept.get(depth - 1);
        container.name = name;
        if (!container.names.add(name) && duplicate == null) {
            duplicate = name;
        }
        if (depth == 1 && topId == null && name.equals("id")) {
            topIdAt = at;
        }
    }

    /** Reads a name, its colon and the blanks around that. */
    private String memberName() {
        if (peek() != '"') {
            throw JsonFault.syntax("Expected a member name", at);
        }
        String name = string();
        nameCharsMax = Math.max(nameCharsMax, name.length());
        blanks();
        if (peek() != ':') {
            throw JsonFault.syntax("Expected a colon", at);
        }
        at++;
        blanks();
        return name;
    }

    private JsonTree scalar(char c) {
        return switch (c) {
            case '"' -> new Str(string());
            case 't' -> word("true", Literal.TRUE);
            case 'f' -> word("false", Literal.FALSE);
            case 'n' -> word("null", Literal.NULL);
            default -> number();
        };
    }

    private JsonTree word(String word, Literal literal) {
        if (!text.startsWith(word, at)) {
            throw JsonFault.syntax("Unknown word", at);
        }
        at += word.length();
        return literal;
    }

    private JsonTree number() {
        int start = at;
        skip('-');
        if (!skip('0')) {
            digits();
        }
        if (skip('.')) {
            digits();
        }
        if (skip('e') || skip('E')) {
            if (!skip('+')) {
                skip('-');
            }
            digits();
        }
        numberCharsMax = Math.max(numberCharsMax, at - start);
        return new Num(text.substring(start, at));
    }

    private boolean skip(char c) {
        boolean here = at < text.length() && text.charAt(at) == c;
        at += here ? 1 : 0;
        return here;
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw JsonFault.syntax("Expected a value", at);
        }
    }

    private String string() {
        var value = new StringBuilder();
        at++;
        while (peek() != '"') {
            char c = text.charAt(at++);
            if (c < 0x20) {
                throw JsonFault.syntax("Raw control character in a string", at - 1);
            }
            value.append(c == '\\' ? escape() : c);
        }
        at++;
        String decoded = value.toString();
        loneSurrogate = loneSurrogate || hasLoneSurrogate(decoded);
        return decoded;
    }

    private char escape() {
        char c = peek();
        at++;
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw JsonFault.syntax("Unknown escape", at - 1);
        };
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 0x80 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw JsonFault.syntax("Expected four hexadecimal digits", at);
            }
            code = code * 16 + digit;
            at++;
        }
        return (char) code;
    }

    private static boolean hasLoneSurrogate(String value) {
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
        if (at >= text.length()) {
            throw JsonFault.syntax("Unexpected end", at);
        }
        return text.charAt(at);
    }

    private void blanks() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
                return;
            }
            at++;
        }
    }
}
