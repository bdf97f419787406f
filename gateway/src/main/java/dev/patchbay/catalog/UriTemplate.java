package dev.patchbay.catalog;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A URI template of RFC 6570, used to find out whether a URI could be an expansion of it. A simple
 * expression stands for any text without slash, question mark and hash; an expression with an
 * operator stands for any text. The work of a match is counted against a {@link StepBudget}.
 */
public final class UriTemplate {
    static final int EXPRESSIONS_MAX = 32;

    private static final String ENDS_SIMPLE = "/?#";

    /** The number of characters that matching may still look at. */
    static final class StepBudget {
        private long left;

        StepBudget(long steps) {
            this.left = steps;
        }

        /** Takes steps from the budget; returns false if there are not enough. */
        boolean take(long steps) {
            left = Math.max(-1, left - steps);
            return left >= 0;
        }
    }

    /** A piece of the template: literal text, or an expression. */
    private sealed interface Part {
        record Literal(String text) implements Part {}

        record Expression(boolean simple) implements Part {}
    }

    private final String text;
    private final List<Part> parts;

    private UriTemplate(String text, List<Part> parts) {
        this.text = text;
        this.parts = List.copyOf(parts);
    }

    /** Parses a template; a brace without its counterpart is literal text. */
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

    /** The literal text before the first expression; empty if it begins with one. */
    String start() {
        return !parts.isEmpty() && parts.getFirst() instanceof Part.Literal(String start)
                ? start
                : "";
    }

    int expressions() {
        return (int) parts.stream().filter(Part.Expression.class::isInstance).count();
    }

    /** Whether the URI could be an expansion; false if the budget does not suffice to know. */
    boolean matches(String uri, StepBudget budget) {
        if (!budget.take(1 + start().length()) || !uri.startsWith(start())) {
            return false;
        }
        var reached = new BitSet(uri.length() + 1);
        reached.set(0);
        for (Part part : parts) {
            long steps =
                    switch (part) {
                        case Part.Literal(String literal) ->
                                (long) reached.cardinality() * literal.length();
                        case Part.Expression _ -> uri.length();
                    };
            if (!budget.take(1 + steps)) {
                return false;
            }
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
