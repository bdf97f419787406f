package dev.patchbay.testkit;

import dev.patchbay.testkit.JsonTree.Arr;
import dev.patchbay.testkit.JsonTree.Literal;
import dev.patchbay.testkit.JsonTree.Num;
import dev.patchbay.testkit.JsonTree.Obj;
import dev.patchbay.testkit.JsonTree.Str;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Writes JSON compactly on one line. It keeps its own stack, so no depth can overflow it. */
final class JsonTreeWriter {
    private final StringBuilder out = new StringBuilder();
    private final Deque<OpenContainer> openContainers = new ArrayDeque<>();

    private JsonTreeWriter() {}

    /** The members or items still to be written, and the bracket that ends them. */
    private record OpenContainer(Iterator<?> remaining, char closingBracket) {}

    static String write(JsonTree tree) {
        var text = new JsonTreeWriter();
        text.beginValue(tree);
        while (!text.openContainers.isEmpty()) {
            text.advance();
        }
        return text.out.toString();
    }

    /** The string as a JSON literal, quotes included; a lone surrogate becomes an escape. */
    static String quote(String value) {
        var out = new StringBuilder();
        quote(value, out);
        return out.toString();
    }

    private void beginValue(JsonTree tree) {
        if (tree instanceof Obj object) {
            out.append('{');
            openContainers.push(new OpenContainer(object.members().iterator(), '}'));
        } else if (tree instanceof Arr array) {
            out.append('[');
            openContainers.push(new OpenContainer(array.items().iterator(), ']'));
        } else if (tree instanceof Str string) {
            quote(string.value(), out);
        } else if (tree instanceof Num number) {
            out.append(number.lexeme());
        } else if (tree instanceof Literal literal) {
            out.append(literalText(literal));
        }
    }

    private void advance() {
        OpenContainer level = openContainers.element();
        if (!level.remaining().hasNext()) {
            openContainers.pop();
            out.append(level.closingBracket());
            return;
        }
        char last = out.charAt(out.length() - 1);
        if (last != '{' && last != '[') {
            out.append(',');
        }
        Object next = level.remaining().next();
        if (next instanceof JsonTree.Member member) {
            quote(member.name(), out);
            out.append(':');
            beginValue(member.value());
        } else if (next instanceof JsonTree item) {
            beginValue(item);
        }
    }

    private static String literalText(Literal literal) {
        return switch (literal) {
            case TRUE -> "true";
            case FALSE -> "false";
            case NULL -> "null";
        };
    }

    private static void quote(String value, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || c == 0x7f || isLoneSurrogate(value, i)) {
                out.append("\\u");
                for (int shift = 12; shift >= 0; shift -= 4) {
                    out.append(Character.forDigit((c >> shift) & 0xf, 16));
                }
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private static boolean isLoneSurrogate(String value, int at) {
        char c = value.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == value.length() || !Character.isLowSurrogate(value.charAt(at + 1));
        }
        return Character.isLowSurrogate(c)
                && (at == 0 || !Character.isHighSurrogate(value.charAt(at - 1)));
    }
}
