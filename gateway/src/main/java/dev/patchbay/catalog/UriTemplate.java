package dev.patchbay.catalog;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A URI template of RFC 6570, to tell which URIs could have come from it. An expression stands for
 * any text: without slash, question mark and hash for the simple kind, without limit for the kinds
 * with an operator. Matching costs at most the template's length times the URI's.
 */
public final class UriTemplate {
    private static final String ENDS_SIMPLE = "/?#";

    /** A piece of the template: literal text, or an expression. */
    private sealed interface Part {
        record Literal(String text) implements Part {}

        record Expression(boolean simple) implements Part {}
    }

    private final String text;
    private final List<Part> parts;
    private final int literalChars;

    private UriTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
        this.literalChars =
                parts.stream()
                        .mapToInt(p -> p instanceof Part.Literal(String t) ? t.length() : 0)
                        .sum();
    }

    /** The template; a brace without its counterpart is taken as written. */
    public static UriTemplate of(String text) {
        var parts = new ArrayList<Part>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf('{', at);
            int close = open < 0 ? -1 : text.indexOf('}', open);
            if (close < 0) {
                break;
            }
            if (open > at) {
                parts.add(new Part.Literal(text.substring(at, open)));
            }
            parts.add(new Part.Expression(isSimple(text, open + 1)));
            at = close + 1;
        }
        if (at < text.length()) {
            parts.add(new Part.Literal(text.substring(at)));
        }
        return new UriTemplate(text, parts);
    }

    private static boolean isSimple(String text, int at) {
        char first = text.charAt(at);
        return Character.isLetterOrDigit(first) || first == '_' || first == '%';
    }

    public String text() {
        return text;
    }

    /** How much of the template is literal: of two that match, the one with more knows better. */
    int literalChars() {
        return literalChars;
    }

    /** Whether the template could stand for the URI. */
    public boolean matches(String uri) {
        var reached = new BitSet(uri.length() + 1);
        reached.set(0);
        for (Part part : parts) {
            reached =
                    switch (part) {
                        case Part.Literal(String literal) ->
                                positionsAfterLiteral(reached, literal, uri);
                        case Part.Expression(boolean simple) ->
                                positionsAfterExpression(reached, simple, uri);
                    };
        }
        return reached.get(uri.length());
    }

    private static BitSet positionsAfterLiteral(BitSet reached, String literal, String uri) {
        var next = new BitSet(uri.length() + 1);
        for (int at = reached.nextSetBit(0); at >= 0; at = reached.nextSetBit(at + 1)) {
            if (uri.startsWith(literal, at)) {
                next.set(at + literal.length());
            }
        }
        return next;
    }

    private static BitSet positionsAfterExpression(BitSet reached, boolean simple, String uri) {
        var next = new BitSet(uri.length() + 1);
        boolean open = false;
        for (int at = 0; at <= uri.length(); at++) {
            open |= reached.get(at);
            if (open) {
                next.set(at);
            }
            if (at < uri.length() && simple && ENDS_SIMPLE.indexOf(uri.charAt(at)) >= 0) {
                open = false;
            }
        }
        return next;
    }

    @Override
    public String toString() {
        return text;
    }
}
