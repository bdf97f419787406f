package dev.patchbay.schema;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

/**
 * The meta-schemas, built in. They are equivalent to the official ones, in one document each.
 * Schemas are not validated against them: the reader checks every keyword.
 */
final class MetaSchemas implements ExternalSchemas {
    static final MetaSchemas INSTANCE = new MetaSchemas();

    private MetaSchemas() {}

    @Override
    public @Nullable Json find(String uri) {
        if (uri.equals(Dialect.Draft.DRAFT_2020_12.uri)) {
            return Draft202012.JSON;
        }
        return uri.equals(Dialect.Draft.DRAFT_07.uri) ? Draft07.JSON : null;
    }

    /** Loaded on first use. */
    private static final class Draft202012 {
        static final Json JSON =
                Json.of(
                        """
                        {"$schema": "https://json-schema.org/draft/2020-12/schema",
                         "$id": "https://json-schema.org/draft/2020-12/schema",
                         "$vocabulary": {
                          "https://json-schema.org/draft/2020-12/vocab/core": true,
                          "https://json-schema.org/draft/2020-12/vocab/applicator": true,
                          "https://json-schema.org/draft/2020-12/vocab/unevaluated": true,
                          "https://json-schema.org/draft/2020-12/vocab/validation": true,
                          "https://json-schema.org/draft/2020-12/vocab/meta-data": true,
                          "https://json-schema.org/draft/2020-12/vocab/format-annotation": true,
                          "https://json-schema.org/draft/2020-12/vocab/content": true},
                         "$dynamicAnchor": "meta",
                         "type": ["object", "boolean"],
                         "$defs": {
                          "schemas": {"type": "array", "minItems": 1,
                           "items": {"$dynamicRef": "#meta"}},
                          "schemaMap": {"type": "object",
                           "additionalProperties": {"$dynamicRef": "#meta"}},
                          "names": {"type": "array", "uniqueItems": true,
                           "items": {"type": "string"}},
                          "anchor": {"type": "string", "pattern": "^[A-Za-z_][-A-Za-z0-9._]*$"},
                          "count": {"type": "integer", "minimum": 0},
                          "type": {"enum": ["array", "boolean", "integer", "null", "number",
                           "object", "string"]}},
                         "properties": {
                          "$id": {"type": "string", "pattern": "^[^#]*#?$"},
                          "$schema": {"type": "string"},
                          "$ref": {"type": "string"},
                          "$anchor": {"$ref": "#/$defs/anchor"},
                          "$dynamicRef": {"type": "string"},
                          "$dynamicAnchor": {"$ref": "#/$defs/anchor"},
                          "$vocabulary": {"type": "object",
                           "additionalProperties": {"type": "boolean"}},
                          "$comment": {"type": "string"},
                          "$defs": {"$ref": "#/$defs/schemaMap"},
                          "definitions": {"$ref": "#/$defs/schemaMap"},
                          "dependencies": {"type": "object", "additionalProperties": {"anyOf": [
                           {"$dynamicRef": "#meta"}, {"$ref": "#/$defs/names"}]}},
                          "prefixItems": {"$ref": "#/$defs/schemas"},
                          "items": {"$dynamicRef": "#meta"},
                          "contains": {"$dynamicRef": "#meta"},
                          "additionalProperties": {"$dynamicRef": "#meta"},
                          "properties": {"$ref": "#/$defs/schemaMap"},
                          "patternProperties": {"$ref": "#/$defs/schemaMap",
                           "propertyNames": {"format": "regex"}},
                          "dependentSchemas": {"$ref": "#/$defs/schemaMap"},
                          "propertyNames": {"$dynamicRef": "#meta"},
                          "if": {"$dynamicRef": "#meta"},
                          "then": {"$dynamicRef": "#meta"},
                          "else": {"$dynamicRef": "#meta"},
                          "allOf": {"$ref": "#/$defs/schemas"},
                          "anyOf": {"$ref": "#/$defs/schemas"},
                          "oneOf": {"$ref": "#/$defs/schemas"},
                          "not": {"$dynamicRef": "#meta"},
                          "unevaluatedItems": {"$dynamicRef": "#meta"},
                          "unevaluatedProperties": {"$dynamicRef": "#meta"},
                          "type": {"anyOf": [{"$ref": "#/$defs/type"}, {"type": "array",
                           "items": {"$ref": "#/$defs/type"}, "minItems": 1,
                           "uniqueItems": true}]},
                          "const": true,
                          "enum": {"type": "array"},
                          "multipleOf": {"type": "number", "exclusiveMinimum": 0},
                          "maximum": {"type": "number"},
                          "exclusiveMaximum": {"type": "number"},
                          "minimum": {"type": "number"},
                          "exclusiveMinimum": {"type": "number"},
                          "maxLength": {"$ref": "#/$defs/count"},
                          "minLength": {"$ref": "#/$defs/count"},
                          "pattern": {"type": "string", "format": "regex"},
                          "maxItems": {"$ref": "#/$defs/count"},
                          "minItems": {"$ref": "#/$defs/count"},
                          "uniqueItems": {"type": "boolean"},
                          "maxContains": {"$ref": "#/$defs/count"},
                          "minContains": {"$ref": "#/$defs/count"},
                          "maxProperties": {"$ref": "#/$defs/count"},
                          "minProperties": {"$ref": "#/$defs/count"},
                          "required": {"$ref": "#/$defs/names"},
                          "dependentRequired": {"type": "object",
                           "additionalProperties": {"$ref": "#/$defs/names"}},
                          "title": {"type": "string"},
                          "description": {"type": "string"},
                          "default": true,
                          "deprecated": {"type": "boolean"},
                          "readOnly": {"type": "boolean"},
                          "writeOnly": {"type": "boolean"},
                          "examples": {"type": "array"},
                          "format": {"type": "string"},
                          "contentEncoding": {"type": "string"},
                          "contentMediaType": {"type": "string"},
                          "contentSchema": {"$dynamicRef": "#meta"}}}
                        """);
    }

    /** Loaded on first use. */
    private static final class Draft07 {
        static final Json JSON =
                Json.of(
                        """
                        {"$schema": "http://json-schema.org/draft-07/schema#",
                         "$id": "http://json-schema.org/draft-07/schema#",
                         "type": ["object", "boolean"],
                         "definitions": {
                          "schemas": {"type": "array", "minItems": 1, "items": {"$ref": "#"}},
                          "schemaMap": {"type": "object", "additionalProperties": {"$ref": "#"}},
                          "names": {"type": "array", "uniqueItems": true,
                           "items": {"type": "string"}},
                          "count": {"type": "integer", "minimum": 0},
                          "type": {"enum": ["array", "boolean", "integer", "null", "number",
                           "object", "string"]}},
                         "properties": {
                          "$id": {"type": "string"},
                          "$schema": {"type": "string"},
                          "$ref": {"type": "string"},
                          "$comment": {"type": "string"},
                          "title": {"type": "string"},
                          "description": {"type": "string"},
                          "default": true,
                          "readOnly": {"type": "boolean"},
                          "writeOnly": {"type": "boolean"},
                          "examples": {"type": "array"},
                          "multipleOf": {"type": "number", "exclusiveMinimum": 0},
                          "maximum": {"type": "number"},
                          "exclusiveMaximum": {"type": "number"},
                          "minimum": {"type": "number"},
                          "exclusiveMinimum": {"type": "number"},
                          "maxLength": {"$ref": "#/definitions/count"},
                          "minLength": {"$ref": "#/definitions/count"},
                          "pattern": {"type": "string", "format": "regex"},
                          "additionalItems": {"$ref": "#"},
                          "items": {"anyOf": [{"$ref": "#"}, {"$ref": "#/definitions/schemas"}]},
                          "maxItems": {"$ref": "#/definitions/count"},
                          "minItems": {"$ref": "#/definitions/count"},
                          "uniqueItems": {"type": "boolean"},
                          "contains": {"$ref": "#"},
                          "maxProperties": {"$ref": "#/definitions/count"},
                          "minProperties": {"$ref": "#/definitions/count"},
                          "required": {"$ref": "#/definitions/names"},
                          "additionalProperties": {"$ref": "#"},
                          "definitions": {"$ref": "#/definitions/schemaMap"},
                          "properties": {"$ref": "#/definitions/schemaMap"},
                          "patternProperties": {"$ref": "#/definitions/schemaMap"},
                          "dependencies": {"type": "object", "additionalProperties": {"anyOf": [
                           {"$ref": "#"}, {"$ref": "#/definitions/names"}]}},
                          "propertyNames": {"$ref": "#"},
                          "const": true,
                          "enum": {"type": "array"},
                          "type": {"anyOf": [{"$ref": "#/definitions/type"}, {"type": "array",
                           "items": {"$ref": "#/definitions/type"}, "minItems": 1,
                           "uniqueItems": true}]},
                          "format": {"type": "string"},
                          "contentMediaType": {"type": "string"},
                          "contentEncoding": {"type": "string"},
                          "if": {"$ref": "#"},
                          "then": {"$ref": "#"},
                          "else": {"$ref": "#"},
                          "allOf": {"$ref": "#/definitions/schemas"},
                          "anyOf": {"$ref": "#/definitions/schemas"},
                          "oneOf": {"$ref": "#/definitions/schemas"},
                          "not": {"$ref": "#"}}}
                        """);
    }
}
