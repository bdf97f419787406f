package dev.patchbay.schema;

import java.util.List;

/** A part of a regular expression, as it was written. */
sealed interface RegexNode {
    /** A place that must be the begin, the end, an edge of a word, or none: an operation. */
    record Place(int operation) implements RegexNode {}

    /** One character of a set. */
    record One(CharSet set) implements RegexNode {}

    /** Parts one after the other. */
    record Sequence(List<RegexNode> parts) implements RegexNode {}

    /** One of several parts. */
    record Choice(List<RegexNode> parts) implements RegexNode {}

    /** A part several times over; {@link #NO_END} for as often as one likes. */
    record Repeat(RegexNode part, int min, int max) implements RegexNode {}

    /** A part that must match, or must not, before or behind a place. */
    record Around(RegexNode part, boolean backward, boolean wanted) implements RegexNode {}

    int NO_END = Integer.MAX_VALUE;
}
