package dev.patchbay.config.syntax;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * One value of a configuration text and where it stands: {@code from} is the place of its first
 * char, {@code to} the place behind its last.
 */
public sealed interface SyntaxNode {
    int from();

    int to();

    /** An object, its members in their order, names that stand twice included. */
    record ObjectNode(int from, int to, List<Member> members) implements SyntaxNode {
        /** The value of the first member of that name. */
        @Nullable
        public SyntaxNode value(String name) {
            Member member = member(name);
            return member == null ? null : member.value();
        }

        @Nullable
        public Member member(String name) {
            for (Member member : members) {
                if (member.name().value().equals(name)) {
                    return member;
                }
            }
            return null;
        }

        /** The member of that name if it is an object. */
        @Nullable
        public ObjectNode object(String name) {
            return value(name) instanceof ObjectNode table ? table : null;
        }
    }

    /** A member of an object; {@code comma} is the place of the comma behind it, or -1. */
    record Member(StringNode name, SyntaxNode value, int commaOffset) {}

    record ArrayNode(int from, int to, List<SyntaxNode> elements) implements SyntaxNode {}

    record StringNode(int from, int to, String value) implements SyntaxNode {}

    record NumberNode(int from, int to, String digits) implements SyntaxNode {}

    record BooleanNode(int from, int to, boolean value) implements SyntaxNode {}

    record NullNode(int from, int to) implements SyntaxNode {}

    /** What should be a value and is none; the fault has been noted already. */
    record InvalidNode(int from, int to) implements SyntaxNode {}
}
