package dev.patchbay.schema;

import dev.patchbay.json.Elements;
import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;
import dev.patchbay.json.Members;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The plain part of a schema, checked on the bytes of the arguments without making anything of
 * them. Most schemas of tools are plain all through, and most arguments are right: then this is the
 * whole check. It says yes only if it is sure; everything else is for the rules to decide.
 */
final class Shape {
    /** Larger arguments are left to the rules, which count what they spend. */
    static final int BYTES_MAX = 64 * 1024;

    private static final int DEPTH_MAX = 6;
    private static final int NAMES_MAX = Long.SIZE;
    private static final int ANY_TYPE = -1;

    private int types = ANY_TYPE;
    private long lengthMax = Long.MAX_VALUE;
    private long lengthMin;
    private List<String> names = List.of();
    private List<@Nullable Shape> shapes = List.of();
    private boolean closed;

    /** One bit for each name that must be there. */
    private long required;

    private @Nullable Shape elements;

    private Shape() {}

    /** The shape of a schema, or null if it has rules that a shape cannot decide. */
    static @Nullable Shape of(Schema schema) {
        return of(schema, DEPTH_MAX);
    }

    private static @Nullable Shape of(Schema schema, int depth) {
        var shape = new Shape();
        if (depth == 0 || schema.hasLeftovers()) {
            return null;
        }
        // The names must be known before the rule that requires them.
        for (Rule rule : schema.rules()) {
            if (rule instanceof ObjectRules.Properties properties) {
                shape.take(properties, depth);
            }
        }
        for (Rule rule : schema.rules()) {
            if (!shape.take(rule, depth)) {
                return null;
            }
        }
        return shape;
    }

    private void take(ObjectRules.Properties properties, int depth) {
        names = List.copyOf(properties.schemas().keySet());
        var found = new ArrayList<@Nullable Shape>();
        for (Schema schema : properties.schemas().values()) {
            found.add(of(schema, depth - 1));
        }
        shapes = found;
    }

    private boolean take(Rule rule, int depth) {
        if (rule instanceof ObjectRules.Properties) {
            return names.size() <= NAMES_MAX;
        }
        if (rule instanceof TypeRule type) {
            types = type.mask();
        } else if (rule instanceof ObjectRules.Required needed) {
            return take(needed);
        } else if (rule instanceof ObjectRules.Additional additional) {
            closed = additional.schema().isNever() && additional.patterns().isEmpty();
            return closed || additional.schema().isAlways();
        } else if (rule instanceof ArrayRules.Rest rest) {
            elements = of(rest.schema(), depth - 1);
            return rest.from() == 0 && elements != null;
        } else if (rule instanceof StringRules.MaxLength longest) {
            lengthMax = longest.max();
        } else if (rule instanceof StringRules.MinLength shortest) {
            lengthMin = shortest.min();
            return lengthMin <= 1;
        } else {
            return false;
        }
        return true;
    }

    private boolean take(ObjectRules.Required needed) {
        for (String name : needed.names()) {
            int at = names.indexOf(name);
            if (at < 0 || at >= NAMES_MAX) {
                return false;
            }
            required |= 1L << at;
        }
        return true;
    }

    /** Whether the value surely fits; false means that nothing is known. */
    boolean surelyFits(Json value) {
        Kind kind = value.kind();
        if (types != ANY_TYPE && (types & TypeRule.bit(kind)) == 0) {
            return kind == Kind.NUMBER
                    && (types & TypeRule.INTEGER) != 0
                    && Value.isPlainInteger(value);
        }
        return switch (kind) {
            case OBJECT -> membersFit(value);
            case ARRAY -> elementsFit(value);
            // The bytes between the quotes are at least as many as the characters.
            case STRING -> value.length() - 2 <= lengthMax && value.length() - 2 >= lengthMin;
            case NUMBER, BOOLEAN, NULL -> true;
        };
    }

    private boolean membersFit(Json object) {
        long missing = required;
        Members cursor = object.walk();
        while (cursor.next()) {
            int at = find(cursor);
            if (at < 0) {
                if (closed) {
                    return false;
                }
                continue;
            }
            Shape shape = shapes.get(at);
            if (shape == null || !shape.surelyFits(cursor.value())) {
                return false;
            }
            missing &= ~(1L << at);
        }
        return missing == 0;
    }

    private int find(Members cursor) {
        for (int i = 0; i < names.size(); i++) {
            if (cursor.nameIs(names.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private boolean elementsFit(Json array) {
        Shape shape = elements;
        if (shape != null) {
            Elements cursor = array.walkElements();
            while (cursor.next()) {
                if (!shape.surelyFits(cursor.value())) {
                    return false;
                }
            }
        }
        return true;
    }
}
