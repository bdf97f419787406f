package dev.patchbay.schema;

import dev.patchbay.json.ElementCursor;
import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;
import dev.patchbay.json.MemberCursor;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * Checks the simple part of a schema directly on the bytes of the arguments. Most tool schemas are
 * simple and most arguments are valid, so this is usually the whole check. It accepts only if it is
 * certain; otherwise the rules decide.
 */
final class FastPathCheck {
    /** Larger arguments are left to the rules, which count their steps. */
    static final int BYTES_MAX = 64 * 1024;

    private static final int DEPTH_MAX = 6;
    private static final int NAMES_MAX = Long.SIZE;
    private static final int ANY_TYPE = -1;

    private int types = ANY_TYPE;
    private long lengthMax = Long.MAX_VALUE;
    private long lengthMin;
    private List<String> propertyNames = List.of();
    private List<@Nullable FastPathCheck> propertyChecks = List.of();
    private boolean rejectsUnknownProperties;

    /** One bit for each required name. */
    private long requiredBits;

    private @Nullable FastPathCheck elementCheck;

    private FastPathCheck() {}

    /** The fast path of a schema, or null if it has rules that need the slow one. */
    static @Nullable FastPathCheck of(CompiledSchema schema) {
        return of(schema, DEPTH_MAX);
    }

    private static @Nullable FastPathCheck of(CompiledSchema schema, int depth) {
        var shape = new FastPathCheck();
        if (depth == 0 || schema.hasUnevaluatedRules()) {
            return null;
        }
        // The names must be known before the rule that requires them.
        for (SchemaRule rule : schema.rules()) {
            if (rule instanceof ObjectRules.Properties properties) {
                shape.add(properties, depth);
            }
        }
        for (SchemaRule rule : schema.rules()) {
            if (!shape.add(rule, depth)) {
                return null;
            }
        }
        return shape;
    }

    private void add(ObjectRules.Properties properties, int depth) {
        propertyNames = List.copyOf(properties.schemas().keySet());
        var found = new ArrayList<@Nullable FastPathCheck>();
        for (CompiledSchema schema : properties.schemas().values()) {
            found.add(of(schema, depth - 1));
        }
        propertyChecks = found;
    }

    private boolean add(SchemaRule rule, int depth) {
        if (rule instanceof ObjectRules.Properties) {
            return propertyNames.size() <= NAMES_MAX;
        }
        if (rule instanceof TypeRule type) {
            types = type.mask();
        } else if (rule instanceof ObjectRules.Required needed) {
            return add(needed);
        } else if (rule instanceof ObjectRules.AdditionalProperties additional) {
            rejectsUnknownProperties =
                    additional.schema().rejectsAll() && additional.patterns().isEmpty();
            return rejectsUnknownProperties || additional.schema().acceptsAll();
        } else if (rule instanceof ArrayRules.Items rest) {
            elementCheck = of(rest.schema(), depth - 1);
            return rest.from() == 0 && elementCheck != null;
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

    private boolean add(ObjectRules.Required needed) {
        for (String name : needed.names()) {
            int at = propertyNames.indexOf(name);
            if (at < 0 || at >= NAMES_MAX) {
                return false;
            }
            requiredBits |= 1L << at;
        }
        return true;
    }

    /** Whether the value is certainly valid; false means unknown. */
    boolean definitelyAccepts(Json value) {
        Kind kind = value.kind();
        if (types != ANY_TYPE && (types & TypeRule.bit(kind)) == 0) {
            return kind == Kind.NUMBER
                    && (types & TypeRule.INTEGER) != 0
                    && ValueNode.isPlainInteger(value);
        }
        return switch (kind) {
            case OBJECT -> acceptsMembers(value);
            case ARRAY -> acceptsElements(value);
            // There are at least as many bytes as characters between the quotes.
            case STRING -> value.length() - 2 <= lengthMax && value.length() - 2 >= lengthMin;
            case NUMBER, BOOLEAN, NULL -> true;
        };
    }

    private boolean acceptsMembers(Json object) {
        long missing = requiredBits;
        MemberCursor cursor = object.memberCursor();
        while (cursor.next()) {
            int at = indexOf(cursor);
            if (at < 0) {
                if (rejectsUnknownProperties) {
                    return false;
                }
                continue;
            }
            FastPathCheck shape = propertyChecks.get(at);
            if (shape == null || !shape.definitelyAccepts(cursor.value())) {
                return false;
            }
            missing &= ~(1L << at);
        }
        return missing == 0;
    }

    private int indexOf(MemberCursor cursor) {
        for (int i = 0; i < propertyNames.size(); i++) {
            if (cursor.nameIs(propertyNames.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private boolean acceptsElements(Json array) {
        FastPathCheck shape = elementCheck;
        if (shape != null) {
            ElementCursor cursor = array.elementCursor();
            while (cursor.next()) {
                if (!shape.definitelyAccepts(cursor.value())) {
                    return false;
                }
            }
        }
        return true;
    }
}
