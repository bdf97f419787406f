package dev.patchbay.schema.regex;

import java.util.List;

/** A node of the syntax tree of a regular expression. */
sealed interface RegexNode {
    /** An assertion about a position: start, end, word boundary or its negation. */
    record Assertion(int operation) implements RegexNode {}

    /** One character of a set. */
    record OneCharacter(CharacterSet set) implements RegexNode {}

    /** A sequence of parts. */
    record Sequence(List<RegexNode> parts) implements RegexNode {}

    /** One of several alternatives. */
    record Alternation(List<RegexNode> parts) implements RegexNode {}

    /** A repetition; {@link #UNBOUNDED} for no maximum. */
    record Repeat(RegexNode part, int min, int max) implements RegexNode {}

    /** A lookahead or lookbehind, positive or negative. */
    record Lookaround(RegexNode part, boolean isLookbehind, boolean isPositive)
            implements RegexNode {}

    int UNBOUNDED = Integer.MAX_VALUE;
}
