package dev.patchbay.config.syntax;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * A value in a configuration text with its offsets: {@code from} is its first character, {@code to}
 * is after its last.
 */
public sealed interface SyntaxNode {
    int from();

    int to();

    /** An object with its members in order, including duplicate names. */
    record ObjectNode(int from, int to, List<Member> members) implements SyntaxNode {
        /** The value of the first member with the given name. */
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

        /** The value of a member, if it is an object. */
        @Nullable
        public ObjectNode object(String name) {
            return value(name) instanceof ObjectNode table ? table : null;
        }
    }

    /** A member of an object; the comma's offset is -1 if there is none. */
    record Member(StringNode name, SyntaxNode value, int commaOffset) {}

    record ArrayNode(int from, int to, List<SyntaxNode> elements) implements SyntaxNode {}

    record StringNode(int from, int to, String value) implements SyntaxNode {}

    record NumberNode(int from, int to, String digits) implements SyntaxNode {}

    record BooleanNode(int from, int to, boolean value) implements SyntaxNode {}

    record NullNode(int from, int to) implements SyntaxNode {}

    /** An invalid value; its error has been reported. */
    record InvalidNode(int from, int to) implements SyntaxNode {}
}
