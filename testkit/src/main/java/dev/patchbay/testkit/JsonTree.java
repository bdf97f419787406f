package dev.patchbay.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One JSON value as it was written: members keep their order, numbers keep their spelling. Strings
 * are decoded and may hold a lone surrogate if the text spelled one as an escape.
 */
public sealed interface JsonTree {
    /** An object, its members in the order of the text. */
    record Obj(List<Member> members) implements JsonTree {
        public Obj {
            members = List.copyOf(members);
        }

        @Override
        public String toString() {
            return write();
        }
    }

    /** A name and its value. */
    record Member(String name, JsonTree value) {}

    /** An array. */
    record Arr(List<JsonTree> items) implements JsonTree {
        public Arr {
            items = List.copyOf(items);
        }

        @Override
        public String toString() {
            return write();
        }
    }

    /** A string, escapes resolved. */
    record Str(String value) implements JsonTree {
        @Override
        public String toString() {
            return write();
        }
    }

    /** A number, as it was spelled. */
    record Num(String lexeme) implements JsonTree {
        @Override
        public String toString() {
            return lexeme;
        }
    }

    /** The three words. */
    enum Literal implements JsonTree {
        TRUE,
        FALSE,
        NULL;

        @Override
        public String toString() {
            return write();
        }
    }

    /** The value of the member of this name, or nothing if there is none or this is no object. */
    default Optional<JsonTree> member(String name) {
        if (this instanceof Obj object) {
            for (Member member : object.members()) {
                if (member.name().equals(name)) {
                    return Optional.of(member.value());
                }
            }
        }
        return Optional.empty();
    }

    default boolean has(String name) {
        return member(name).isPresent();
    }

    /** The value reached by member names and array indices, or nothing. */
    default Optional<JsonTree> findAt(Object... path) {
        Optional<JsonTree> here = Optional.of(this);
        for (Object step : path) {
            here = here.flatMap(tree -> tree.child(step));
        }
        return here;
    }

    /** The value reached by member names and array indices; its absence fails the test. */
    default JsonTree at(Object... path) {
        return findAt(path)
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "No "
                                                + List.of(path)
                                                + " in "
                                                + Utf8Text.abbreviate(write())));
    }

    /** The text of a string; anything else fails the test. */
    default String asText() {
        if (this instanceof Str string) {
            return string.value();
        }
        throw new AssertionError("Not a string: " + Utf8Text.abbreviate(write()));
    }

    /** The value of an integer that fits a long; anything else fails the test. */
    default long asLong() {
        if (this instanceof Num number) {
            try {
                return Long.parseLong(number.lexeme());
            } catch (NumberFormatException e) {
                throw new AssertionError(
                        "Not an integer: " + Utf8Text.abbreviate(number.lexeme()), e);
            }
        }
        throw new AssertionError("Not a number: " + Utf8Text.abbreviate(write()));
    }

    /** The items of an array; anything else fails the test. */
    default List<JsonTree> asList() {
        if (this instanceof Arr array) {
            return array.items();
        }
        throw new AssertionError("Not an array: " + Utf8Text.abbreviate(write()));
    }

    /** This value with another in the place that these member names lead to, if there is one. */
    default JsonTree withValueAt(JsonTree value, String... path) {
        if (path.length == 0) {
            return value;
        }
        if (!(this instanceof Obj object)) {
            return this;
        }
        String[] rest = Arrays.copyOfRange(path, 1, path.length);
        return new Obj(
                object.members().stream()
                        .map(
                                it ->
                                        it.name().equals(path[0])
                                                ? new Member(
                                                        path[0],
                                                        it.value().withValueAt(value, rest))
                                                : it)
                        .toList());
    }

    /** The value as compact JSON text without any raw control character. */
    default String write() {
        return JsonTreeWriter.write(this);
    }

    private Optional<JsonTree> child(Object step) {
        if (step instanceof Integer index && this instanceof Arr array) {
            boolean inside = index >= 0 && index < array.items().size();
            return inside ? Optional.of(array.items().get(index)) : Optional.empty();
        }
        return step instanceof String name ? member(name) : Optional.empty();
    }
}
