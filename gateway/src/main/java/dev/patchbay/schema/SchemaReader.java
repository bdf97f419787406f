package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;
import dev.patchbay.schema.regex.Regex;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads one schema keyword by keyword and creates its rules. An invalid value makes the whole
 * schema unusable; unknown keywords are ignored.
 */
final class SchemaReader {
    private final SchemaCompiler compiler;
    private final ValueNode schemaNode;
    private final SchemaResource resource;
    private final Dialect dialect;
    private final boolean isModern;
    private final List<SchemaRule> rules = new ArrayList<>();
    private final List<SchemaRule> unevaluatedRules = new ArrayList<>();

    SchemaReader(SchemaCompiler compiler, ValueNode place, SchemaResource home) {
        this.compiler = compiler;
        this.schemaNode = place;
        this.resource = home;
        this.dialect = home.dialect();
        this.isModern = dialect.isModern();
    }

    void read(CompiledSchema schema) {
        ValueNode reference = schemaNode.member("$ref");
        if (schemaNode.kind == Kind.BOOLEAN) {
            if (!schemaNode.json.isTrue()) {
                rules.add(new CombiningRules.RejectAll());
            }
        } else if (!isModern && reference != null) {
            // In draft-07, keywords next to a reference are ignored.
            addReference(reference, false);
        } else {
            var others = new AssertionReader(compiler, dialect);
            for (ValueNode word : schemaNode.children()) {
                if (!readIdentityKeyword(word, schema)
                        && !readObjectKeyword(word)
                        && !readCombiningKeyword(word)
                        && !readArrayKeyword(word)) {
                    others.read(word, rules);
                }
            }
        }
        schema.define(rules, unevaluatedRules);
    }

    private boolean readIdentityKeyword(ValueNode word, CompiledSchema schema) {
        switch (word.name) {
            case "$ref" -> addReference(word, false);
            case "$dynamicRef" -> {
                if (dialect.hasDynamicAnchors()) {
                    addReference(word, true);
                }
            }
            case "$recursiveRef" -> {
                if (dialect.hasRecursiveAnchor()) {
                    addReference(word, true);
                }
            }
            case "$anchor" -> addAnchor(word, isModern);
            case "$dynamicAnchor" -> {
                if (addAnchor(word, dialect.hasDynamicAnchors())) {
                    resource.dynamicAnchors().addDynamicAnchor(word.text(), schema);
                }
            }
            case "$recursiveAnchor" -> {
                if (dialect.hasRecursiveAnchor() && KeywordValues.bool(word)) {
                    resource.dynamicAnchors().addDynamicAnchor("", schema);
                }
            }
            case "$defs", "definitions" -> {
                if (isModern || word.name.equals("definitions")) {
                    readSchemaMap(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void addReference(ValueNode word, boolean dynamic) {
        KeywordValues.string(word);
        rules.add(compiler.addReference(word, resource, dynamic));
    }

    private boolean addAnchor(ValueNode word, boolean known) {
        if (known) {
            String name = KeywordValues.string(word);
            if (!KeywordValues.isAnchorName(name)) {
                throw new UnusableSchemaException(
                        word, DisplayText.quote(name) + " is not a valid anchor name");
            }
            resource.anchors().put(name, schemaNode);
        }
        return known;
    }

    private boolean readCombiningKeyword(ValueNode word) {
        switch (word.name) {
            case "allOf" -> rules.add(new CombiningRules.AllOf(readSchemas(word)));
            case "anyOf" -> rules.add(new CombiningRules.AnyOf(readSchemas(word)));
            case "oneOf" -> rules.add(new CombiningRules.OneOf(readSchemas(word)));
            case "not" ->
                    rules.add(new CombiningRules.Not(readSchema(word), ValidationText.quote(word)));
            case "if", "then", "else" -> {
                if (dialect.hasConditionals()) {
                    addConditional(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void addConditional(ValueNode word) {
        CompiledSchema schema = readSchema(word);
        if (word.name.equals("if")) {
            rules.add(
                    new CombiningRules.Conditional(
                            schema, siblingSchema("then"), siblingSchema("else")));
        }
    }

    private boolean readObjectKeyword(ValueNode word) {
        switch (word.name) {
            case "properties" ->
                    rules.add(new ObjectRules.Properties(readSchemaMap(word), requiredNames()));
            case "patternProperties" ->
                    rules.add(new ObjectRules.PatternProperties(readPatternMap(word)));
            case "additionalProperties" -> addAdditionalProperties(word);
            case "propertyNames" -> rules.add(new ObjectRules.PropertyNames(readSchema(word)));
            case "dependencies" -> addDependencies(word);
            case "dependentSchemas" -> {
                if (isModern) {
                    rules.add(new ObjectRules.DependentSchemas(readSchemaMap(word)));
                }
            }
            case "unevaluatedProperties" -> {
                if (isModern) {
                    compiler.trackEvaluated();
                    unevaluatedRules.add(new ObjectRules.UnevaluatedProperties(readSchema(word)));
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** The required names of the same schema, if they are valid. */
    private Set<String> requiredNames() {
        ValueNode word = schemaNode.member("required");
        if (word == null || !dialect.hasAssertions()) {
            return Set.of();
        }
        return Set.copyOf(KeywordValues.uniqueStrings(word));
    }

    private void addAdditionalProperties(ValueNode word) {
        ValueNode known = schemaNode.member("properties");
        ValueNode patterned = schemaNode.member("patternProperties");
        Map<String, CompiledSchema> names = known == null ? Map.of() : readSchemaMap(known);
        Map<Regex, CompiledSchema> patterns =
                patterned == null ? Map.of() : readPatternMap(patterned);
        CompiledSchema schema = readSchema(word);
        rules.add(new ObjectRules.AdditionalProperties(names.keySet(), patterns.keySet(), schema));
    }

    private Map<Regex, CompiledSchema> readPatternMap(ValueNode word) {
        KeywordValues.requireKind(word, Kind.OBJECT);
        var map = new LinkedHashMap<Regex, CompiledSchema>();
        for (ValueNode member : word.children()) {
            map.put(compiler.compilePattern(member, member.name), readSchema(member));
        }
        return map;
    }

    private void addDependencies(ValueNode word) {
        KeywordValues.requireKind(word, Kind.OBJECT);
        Map<String, CompiledSchema> schemas = new LinkedHashMap<>();
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (ValueNode member : word.children()) {
            if (member.kind == Kind.ARRAY) {
                names.put(member.name, KeywordValues.uniqueStrings(member));
            } else {
                schemas.put(member.name, readSchema(member));
            }
        }
        rules.add(new ObjectRules.DependentRequired(names));
        rules.add(new ObjectRules.DependentSchemas(schemas));
    }

    private boolean readArrayKeyword(ValueNode word) {
        switch (word.name) {
            case "prefixItems" -> {
                if (!dialect.hasTuples()) {
                    rules.add(new ArrayRules.PrefixItems(readSchemas(word)));
                }
            }
            case "items" -> addItems(word);
            case "additionalItems" -> addAdditionalItems(word);
            case "contains" -> addContains(word);
            case "unevaluatedItems" -> {
                if (isModern) {
                    compiler.trackEvaluated();
                    unevaluatedRules.add(new ArrayRules.UnevaluatedItems(readSchema(word)));
                }
            }
            case "contentSchema" -> {
                if (isModern) {
                    readSchema(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void addAdditionalItems(ValueNode word) {
        if (dialect.hasTuples()) {
            CompiledSchema schema = readSchema(word);
            ValueNode items = schemaNode.member("items");
            if (items != null && items.kind == Kind.ARRAY) {
                rules.add(new ArrayRules.Items(items.children().size(), schema));
            }
        }
    }

    private void addItems(ValueNode word) {
        if (dialect.hasTuples() && word.kind == Kind.ARRAY) {
            rules.add(new ArrayRules.PrefixItems(readSchemas(word)));
            return;
        }
        ValueNode prefix = !dialect.hasTuples() ? schemaNode.member("prefixItems") : null;
        int from = prefix == null ? 0 : prefix.children().size();
        rules.add(new ArrayRules.Items(from, readSchema(word)));
    }

    private void addContains(ValueNode word) {
        ValueNode min = isModern ? schemaNode.member("minContains") : null;
        ValueNode max = isModern ? schemaNode.member("maxContains") : null;
        boolean asserts = dialect.hasAssertions();
        rules.add(
                new ArrayRules.Contains(
                        readSchema(word),
                        min == null || !asserts ? 1 : KeywordValues.nonNegativeInteger(min),
                        max == null || !asserts
                                ? Long.MAX_VALUE
                                : KeywordValues.nonNegativeInteger(max),
                        dialect.hasDynamicAnchors()));
    }

    private @Nullable CompiledSchema siblingSchema(String name) {
        ValueNode word = schemaNode.member(name);
        return word == null ? null : readSchema(word);
    }

    private CompiledSchema readSchema(ValueNode word) {
        return compiler.schemaAt(word, resource);
    }

    private List<CompiledSchema> readSchemas(ValueNode word) {
        KeywordValues.requireKind(word, Kind.ARRAY);
        if (word.children().isEmpty()) {
            throw new UnusableSchemaException(word, "must not be empty");
        }
        var list = new ArrayList<CompiledSchema>();
        for (ValueNode element : word.children()) {
            list.add(readSchema(element));
        }
        return list;
    }

    private Map<String, CompiledSchema> readSchemaMap(ValueNode word) {
        KeywordValues.requireKind(word, Kind.OBJECT);
        Map<String, CompiledSchema> map = new LinkedHashMap<>();
        for (ValueNode member : word.children()) {
            map.put(member.name, readSchema(member));
        }
        return map;
    }
}
