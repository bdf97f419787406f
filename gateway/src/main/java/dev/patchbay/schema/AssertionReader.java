package dev.patchbay.schema;

import dev.patchbay.json.Json.Kind;
import dev.patchbay.schema.regex.Regex;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads keywords without subschemas, and annotations. */
final class AssertionReader {
    private final SchemaCompiler compiler;
    private final Dialect dialect;

    AssertionReader(SchemaCompiler compiler, Dialect dialect) {
        this.compiler = compiler;
        this.dialect = dialect;
    }

    void read(ValueNode word, List<SchemaRule> rules) {
        if (!dialect.hasAssertions()
                || !(readGeneralKeyword(word, rules) || readSizeKeyword(word, rules))) {
            checkAnnotation(word);
        }
    }

    private boolean readGeneralKeyword(ValueNode word, List<SchemaRule> rules) {
        switch (word.name) {
            case "type" -> rules.add(new TypeRule(readTypes(word)));
            case "enum" -> {
                KeywordValues.requireKind(word, Kind.ARRAY);
                rules.add(constantRule(word, word.children()));
            }
            case "const" -> rules.add(constantRule(word, List.of(word)));
            case "pattern" -> {
                Regex pattern = compiler.compileSkippablePattern(word, KeywordValues.string(word));
                if (pattern != null) {
                    rules.add(new StringRules.MatchesPattern(pattern));
                }
            }
            case "uniqueItems" -> {
                if (KeywordValues.bool(word)) {
                    rules.add(new ArrayRules.UniqueItems());
                }
            }
            case "required" ->
                    rules.add(new ObjectRules.Required(KeywordValues.uniqueStrings(word)));
            case "dependentRequired" -> {
                if (dialect.isModern()) {
                    rules.add(new ObjectRules.DependentRequired(readNameMap(word)));
                }
            }
            case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum" ->
                    rules.add(
                            new NumberRules.Bound(
                                    word.name,
                                    KeywordValues.number(word),
                                    ValidationText.quote(word)));
            case "multipleOf" -> rules.add(multipleOfRule(word));
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean readSizeKeyword(ValueNode word, List<SchemaRule> rules) {
        long none = Long.MAX_VALUE;
        switch (word.name) {
            case "minLength" ->
                    rules.add(new StringRules.MinLength(KeywordValues.nonNegativeInteger(word)));
            case "maxLength" ->
                    rules.add(new StringRules.MaxLength(KeywordValues.nonNegativeInteger(word)));
            case "minItems" ->
                    rules.add(new ArrayRules.Size(KeywordValues.nonNegativeInteger(word), none));
            case "maxItems" ->
                    rules.add(new ArrayRules.Size(0, KeywordValues.nonNegativeInteger(word)));
            case "minProperties" ->
                    rules.add(new ObjectRules.Size(KeywordValues.nonNegativeInteger(word), none));
            case "maxProperties" ->
                    rules.add(new ObjectRules.Size(0, KeywordValues.nonNegativeInteger(word)));
            case "minContains", "maxContains" -> {
                if (dialect.isModern()) {
                    KeywordValues.nonNegativeInteger(word);
                }
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Checks annotations, because a schema must be valid as a whole. */
    private void checkAnnotation(ValueNode word) {
        switch (word.name) {
            case "title", "description", "$comment", "$schema" -> KeywordValues.string(word);
            case "format", "contentEncoding", "contentMediaType" -> KeywordValues.string(word);
            case "readOnly", "writeOnly" -> KeywordValues.bool(word);
            case "examples" -> KeywordValues.requireKind(word, Kind.ARRAY);
            case "deprecated" -> {
                if (dialect.isModern()) {
                    KeywordValues.bool(word);
                }
            }
            case "$vocabulary" -> {
                if (dialect.isModern()) {
                    KeywordValues.requireKind(word, Kind.OBJECT);
                }
            }
            default -> {}
        }
    }

    private static int readTypes(ValueNode word) {
        if (word.kind == Kind.STRING) {
            return readType(word);
        }
        if (word.kind != Kind.ARRAY || word.children().isEmpty()) {
            throw new UnusableSchemaException(
                    word, "must be the name of a type or a list of names");
        }
        int types = 0;
        for (ValueNode element : word.children()) {
            int type = readType(element);
            if ((types & type) != 0) {
                throw new UnusableSchemaException(element, "must not occur twice");
            }
            types |= type;
        }
        return types;
    }

    private static int readType(ValueNode word) {
        int bit = TypeRule.bit(KeywordValues.string(word));
        if (bit == 0) {
            throw new UnusableSchemaException(word, ValidationText.quote(word) + " is no type");
        }
        return bit;
    }

    private static SchemaRule constantRule(ValueNode word, List<ValueNode> values) {
        Set<String> allowed = new HashSet<>();
        var shown = new ArrayList<String>();
        for (ValueNode value : values) {
            if (allowed.add(CanonicalJson.canonicalText(value))) {
                shown.add(ValidationText.quote(value));
            }
        }
        return new ConstantRule(word.name, allowed, shown);
    }

    private static SchemaRule multipleOfRule(ValueNode word) {
        Decimal divisor = KeywordValues.number(word);
        if (divisor.sign() <= 0) {
            throw new UnusableSchemaException(word, "must be more than 0");
        }
        return new NumberRules.MultipleOf(divisor, ValidationText.quote(word));
    }

    private static Map<String, List<String>> readNameMap(ValueNode word) {
        KeywordValues.requireKind(word, Kind.OBJECT);
        Map<String, List<String>> map = new LinkedHashMap<>();
        for (ValueNode member : word.children()) {
            map.put(member.name, KeywordValues.uniqueStrings(member));
        }
        return map;
    }
}
