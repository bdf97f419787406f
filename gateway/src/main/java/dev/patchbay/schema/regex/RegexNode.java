package dev.patchbay.schema.regex;

import java.util.List;

/** A part of a regular expression, as it was written. */
sealed interface RegexNode {
    /** A place that must be the begin, the end, an edge of a word, or none: an operation. */
    record Assertion(int operation) implements RegexNode {}

    /** One character of a set. */
    record OneCharacter(CharacterSet set) implements RegexNode {}

    /** Parts one after the other. */
    record Sequence(List<RegexNode> parts) implements RegexNode {}

    /** One of several parts. */
    record Alternation(List<RegexNode> parts) implements RegexNode {}

    /** A part several times over; {@link #UNBOUNDED} for as often as one likes. */
    record Repeat(RegexNode part, int min, int max) implements RegexNode {}

    /** A part that must match, or must not, before or behind a place. */
    record Lookaround(RegexNode part, boolean isLookbehind, boolean isPositive)
            implements RegexNode {}

    int UNBOUNDED = Integer.MAX_VALUE;
}
