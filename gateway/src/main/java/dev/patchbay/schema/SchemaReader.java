package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads one schema word by word and makes its rules. A word with a value that the dialect does not
 * allow makes the whole unusable; a word that the dialect does not have means nothing.
 */
final class SchemaReader {
    private final Compiler compiler;
    private final Value place;
    private final Home home;
    private final Dialect dialect;
    private final boolean modern;
    private final List<Rule> rules = new ArrayList<>();
    private final List<Rule> leftovers = new ArrayList<>();

    SchemaReader(Compiler compiler, Value place, Home home) {
        this.compiler = compiler;
        this.place = place;
        this.home = home;
        this.dialect = home.dialect();
        this.modern = dialect.isModern();
    }

    void read(Schema schema) {
        Value reference = place.member("$ref");
        if (place.kind == Kind.BOOLEAN) {
            if (!place.json.isTrue()) {
                rules.add(new CombiningRules.Never());
            }
        } else if (!modern && reference != null) {
            // In draft-07 nothing counts beside a reference.
            reference(reference, false);
        } else {
            var others = new AssertionReader(compiler, dialect);
            for (Value word : place.children()) {
                if (!identity(word, schema)
                        && !ofObjects(word)
                        && !combining(word)
                        && !ofArrays(word)) {
                    others.read(word, rules);
                }
            }
        }
        schema.define(rules, leftovers);
    }

    private boolean identity(Value word, Schema schema) {
        switch (word.name) {
            case "$ref" -> reference(word, false);
            case "$dynamicRef" -> {
                if (dialect.hasDynamicAnchors()) {
                    reference(word, true);
                }
            }
            case "$recursiveRef" -> {
                if (dialect.hasRecursiveAnchor()) {
                    reference(word, true);
                }
            }
            case "$anchor" -> anchor(word, modern);
            case "$dynamicAnchor" -> {
                if (anchor(word, dialect.hasDynamicAnchors())) {
                    home.resource().addDynamicAnchor(word.text(), schema);
                }
            }
            case "$recursiveAnchor" -> {
                if (dialect.hasRecursiveAnchor() && Shapes.isTrue(word)) {
                    home.resource().addDynamicAnchor("", schema);
                }
            }
            case "$defs", "definitions" -> {
                if (modern || word.name.equals("definitions")) {
                    schemaMap(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void reference(Value word, boolean dynamic) {
        Shapes.text(word);
        rules.add(compiler.reference(word, home, dynamic));
    }

    private boolean anchor(Value word, boolean known) {
        if (known) {
            String name = Shapes.text(word);
            if (!Shapes.isAnchor(name)) {
                throw new UnusableException(word, Text.quote(name) + " is no name of an anchor");
            }
            home.anchors().put(name, place);
        }
        return known;
    }

    private boolean combining(Value word) {
        switch (word.name) {
            case "allOf" -> rules.add(new CombiningRules.AllOf(schemas(word)));
            case "anyOf" -> rules.add(new CombiningRules.AnyOf(schemas(word)));
            case "oneOf" -> rules.add(new CombiningRules.OneOf(schemas(word)));
            case "not" -> rules.add(new CombiningRules.Not(schema(word), Text.quote(word)));
            case "if", "then", "else" -> {
                if (dialect.hasConditions()) {
                    condition(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void condition(Value word) {
        Schema schema = schema(word);
        if (word.name.equals("if")) {
            rules.add(new CombiningRules.Conditional(schema, sibling("then"), sibling("else")));
        }
    }

    private boolean ofObjects(Value word) {
        switch (word.name) {
            case "properties" -> rules.add(new ObjectRules.Properties(schemaMap(word), required()));
            case "patternProperties" ->
                    rules.add(new ObjectRules.PatternProperties(patternMap(word)));
            case "additionalProperties" -> additionalProperties(word);
            case "propertyNames" -> rules.add(new ObjectRules.Names(schema(word)));
            case "dependencies" -> dependencies(word);
            case "dependentSchemas" -> {
                if (modern) {
                    rules.add(new ObjectRules.DependentSchemas(schemaMap(word)));
                }
            }
            case "unevaluatedProperties" -> {
                if (modern) {
                    compiler.useMarks();
                    leftovers.add(new ObjectRules.Unlooked(schema(word)));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The names that the same schema requires, if it says so rightly. */
    private Set<String> required() {
        Value word = place.member("required");
        if (word == null || !dialect.asserts()) {
            return Set.of();
        }
        return Set.copyOf(Shapes.names(word));
    }

    private void additionalProperties(Value word) {
        Value known = place.member("properties");
        Value patterned = place.member("patternProperties");
        Map<String, Schema> names = known == null ? Map.of() : schemaMap(known);
        Map<Regex, Schema> patterns = patterned == null ? Map.of() : patternMap(patterned);
        Schema schema = schema(word);
        rules.add(new ObjectRules.Additional(names.keySet(), patterns.keySet(), schema));
    }

    private Map<Regex, Schema> patternMap(Value word) {
        Shapes.require(word, Kind.OBJECT);
        var map = new LinkedHashMap<Regex, Schema>();
        for (Value member : word.children()) {
            map.put(compiler.pattern(member, member.name), schema(member));
        }
        return map;
    }

    private void dependencies(Value word) {
        Shapes.require(word, Kind.OBJECT);
        Map<String, Schema> schemas = new LinkedHashMap<>();
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (Value member : word.children()) {
            if (member.kind == Kind.ARRAY) {
                names.put(member.name, Shapes.names(member));
            } else {
                schemas.put(member.name, schema(member));
            }
        }
        rules.add(new ObjectRules.DependentRequired(names));
        rules.add(new ObjectRules.DependentSchemas(schemas));
    }

    private boolean ofArrays(Value word) {
        switch (word.name) {
            case "prefixItems" -> {
                if (!dialect.hasTuples()) {
                    rules.add(new ArrayRules.Prefix(schemas(word)));
                }
            }
            case "items" -> items(word);
            case "additionalItems" -> additionalItems(word);
            case "contains" -> contains(word);
            case "unevaluatedItems" -> {
                if (modern) {
                    compiler.useMarks();
                    leftovers.add(new ArrayRules.Unlooked(schema(word)));
                }
            }
            case "contentSchema" -> {
                if (modern) {
                    schema(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void additionalItems(Value word) {
        if (dialect.hasTuples()) {
            Schema schema = schema(word);
            Value items = place.member("items");
            if (items != null && items.kind == Kind.ARRAY) {
                rules.add(new ArrayRules.Rest(items.children().size(), schema));
            }
        }
    }

    private void items(Value word) {
        if (dialect.hasTuples() && word.kind == Kind.ARRAY) {
            rules.add(new ArrayRules.Prefix(schemas(word)));
            return;
        }
        Value prefix = !dialect.hasTuples() ? place.member("prefixItems") : null;
        int from = prefix == null ? 0 : prefix.children().size();
        rules.add(new ArrayRules.Rest(from, schema(word)));
    }

    private void contains(Value word) {
        Value min = modern ? place.member("minContains") : null;
        Value max = modern ? place.member("maxContains") : null;
        boolean asserts = dialect.asserts();
        rules.add(
                new ArrayRules.Contains(
                        schema(word),
                        min == null || !asserts ? 1 : Shapes.count(min),
                        max == null || !asserts ? Long.MAX_VALUE : Shapes.count(max),
                        dialect.hasDynamicAnchors()));
    }

    private @Nullable Schema sibling(String name) {
        Value word = place.member(name);
        return word == null ? null : schema(word);
    }

    private Schema schema(Value word) {
        return compiler.schema(word, home);
    }

    private List<Schema> schemas(Value word) {
        Shapes.require(word, Kind.ARRAY);
        if (word.children().isEmpty()) {
            throw new UnusableException(word, "must not be empty");
        }
        var list = new ArrayList<Schema>();
        for (Value element : word.children()) {
            list.add(schema(element));
        }
        return list;
    }

    private Map<String, Schema> schemaMap(Value word) {
        Shapes.require(word, Kind.OBJECT);
        Map<String, Schema> map = new LinkedHashMap<>();
        for (Value member : word.children()) {
            map.put(member.name, schema(member));
        }
        return map;
    }
}
