package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One value of a configuration text and where it stands: {@code from} is the place of its first
 * char, {@code to} the place behind its last.
 */
sealed interface Node {
    int from();

    int to();

    /** An object, its members in their order, names that stand twice included. */
    record Table(int from, int to, List<Member> members) implements Node {
        /** The value of the first member of that name. */
        @Nullable Node value(String name) {
            Member member = member(name);
            return member == null ? null : member.value();
        }

        @Nullable Member member(String name) {
            for (Member member : members) {
                if (member.name().value().equals(name)) {
                    return member;
                }
            }
            return null;
        }

        /** The member of that name if it is an object. */
        @Nullable Table table(String name) {
            return value(name) instanceof Table table ? table : null;
        }
    }

    /** A member of an object; {@code comma} is the place of the comma behind it, or -1. */
    record Member(Text name, Node value, int comma) {}

    record Sequence(int from, int to, List<Node> elements) implements Node {}

    record Text(int from, int to, String value) implements Node {}

    record Numeral(int from, int to, String lexeme) implements Node {}

    record Flag(int from, int to, boolean value) implements Node {}

    record Null(int from, int to) implements Node {}

    /** What should be a value and is none; the fault has been noted already. */
    record Broken(int from, int to) implements Node {}
}
