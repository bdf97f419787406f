package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the words of a schema that need no other schema, and those that only describe. */
final class AssertionReader {
    private final Compiler compiler;
    private final Dialect dialect;

    AssertionReader(Compiler compiler, Dialect dialect) {
        this.compiler = compiler;
        this.dialect = dialect;
    }

    void read(Value word, List<Rule> rules) {
        if (!dialect.asserts() || !(ofAny(word, rules) || ofSizes(word, rules))) {
            describe(word);
        }
    }

    private boolean ofAny(Value word, List<Rule> rules) {
        switch (word.name) {
            case "type" -> rules.add(new TypeRule(types(word)));
            case "enum" -> {
                Shapes.require(word, Kind.ARRAY);
                rules.add(constants(word, word.children()));
            }
            case "const" -> rules.add(constants(word, List.of(word)));
            case "pattern" ->
                    rules.add(new StringRules.Matches(compiler.pattern(word, Shapes.text(word))));
            case "uniqueItems" -> {
                if (Shapes.isTrue(word)) {
                    rules.add(new ArrayRules.Unique());
                }
            }
            case "required" -> rules.add(new ObjectRules.Required(Shapes.names(word)));
            case "dependentRequired" -> {
                if (dialect.isModern()) {
                    rules.add(new ObjectRules.DependentRequired(nameMap(word)));
                }
            }
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" ->
                    rules.add(
                            new NumberRules.Bound(
                                    word.name, Shapes.number(word), Text.quote(word)));
            case "multipleOf" -> rules.add(multipleOf(word));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean ofSizes(Value word, List<Rule> rules) {
        long none = Long.MAX_VALUE;
        switch (word.name) {
            case "minLength" -> rules.add(new StringRules.MinLength(Shapes.count(word)));
            case "maxLength" -> rules.add(new StringRules.MaxLength(Shapes.count(word)));
            case "minItems" -> rules.add(new ArrayRules.Size(Shapes.count(word), none));
            case "maxItems" -> rules.add(new ArrayRules.Size(0, Shapes.count(word)));
            case "minProperties" -> rules.add(new ObjectRules.Size(Shapes.count(word), none));
            case "maxProperties" -> rules.add(new ObjectRules.Size(0, Shapes.count(word)));
            case "minContains", "maxContains" -> {
                if (dialect.isModern()) {
                    Shapes.count(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Checks the words that say nothing about values, for a schema must be right as a whole. */
    private void describe(Value word) {
        switch (word.name) {
            case "title", "description", "$comment", "$schema" -> Shapes.text(word);
            case "format", "contentEncoding", "contentMediaType" -> Shapes.text(word);
            case "readOnly", "writeOnly" -> Shapes.isTrue(word);
            case "examples" -> Shapes.require(word, Kind.ARRAY);
            case "deprecated" -> {
                if (dialect.isModern()) {
                    Shapes.isTrue(word);
                }
            }
            case "$vocabulary" -> {
                if (dialect.isModern()) {
                    Shapes.require(word, Kind.OBJECT);
                }
            }
            default -> {}
        }
    }

    private static int types(Value word) {
        if (word.kind == Kind.STRING) {
            return type(word);
        }
        if (word.kind != Kind.ARRAY || word.children().isEmpty()) {
            throw new UnusableException(word, "must be the name of a type or a list of names");
        }
        int types = 0;
        for (Value element : word.children()) {
            int type = type(element);
            if ((types & type) != 0) {
                throw new UnusableException(element, "must not stand twice");
            }
            types |= type;
        }
        return types;
    }

    private static int type(Value word) {
        int bit = TypeRule.bit(Shapes.text(word));
        if (bit == 0) {
            throw new UnusableException(word, Text.quote(word) + " is no type");
        }
        return bit;
    }

    private static Rule constants(Value word, List<Value> values) {
        Set<String> allowed = new HashSet<>();
        var shown = new ArrayList<String>();
        for (Value value : values) {
            if (allowed.add(Canonical.of(value))) {
                shown.add(Text.quote(value));
            }
        }
        return new ConstantRule(word.name, allowed, shown);
    }

    private static Rule multipleOf(Value word) {
        Decimal divisor = Shapes.number(word);
        if (divisor.sign() <= 0) {
            throw new UnusableException(word, "must be more than 0");
        }
        return new NumberRules.MultipleOf(divisor, Text.quote(word));
    }

    private static Map<String, List<String>> nameMap(Value word) {
        Shapes.require(word, Kind.OBJECT);
        Map<String, List<String>> map = new LinkedHashMap<>();
        for (Value member : word.children()) {
            map.put(member.name, Shapes.names(member));
        }
        return map;
    }
}
