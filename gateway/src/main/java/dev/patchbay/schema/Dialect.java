package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

/**
 * How the keywords of a schema are interpreted.
 *
 * @param draft which keywords exist
 * @param hasAssertions whether keywords such as {@code type} and {@code minimum} are validated
 */
record Dialect(Draft draft, boolean hasAssertions) {
    static final Dialect DRAFT_07 = new Dialect(Draft.DRAFT_07, true);
    static final Dialect DRAFT_2020_12 = new Dialect(Draft.DRAFT_2020_12, true);

    /** The supported editions of JSON Schema, oldest first. */
    enum Draft {
        DRAFT_06("http://json-schema.org/draft-06/schema"),
        DRAFT_07("http://json-schema.org/draft-07/schema"),
        DRAFT_2019_09("https://json-schema.org/draft/2019-09/schema"),
        DRAFT_2020_12("https://json-schema.org/draft/2020-12/schema");

        final String uri;

        Draft(String uri) {
            this.uri = uri;
        }

        private static @Nullable Draft of(String uri) {
            for (Draft draft : values()) {
                // Some authors write https where the identifier has http.
                if (uri.equals(draft.uri) || uri.equals(draft.uri.replace("http:", "https:"))) {
                    return draft;
                }
            }
            return null;
        }

        /** The common prefix of its vocabulary identifiers. */
        private String vocabularyPrefix() {
            return uri.substring(0, uri.lastIndexOf('/')) + "/vocab/";
        }
    }

    /** Whether keywords next to a reference count, and definitions are in {@code $defs}. */
    boolean isModern() {
        return draft.compareTo(Draft.DRAFT_2019_09) >= 0;
    }

    /** Whether an array in {@code items} has one schema for each position. */
    boolean hasTuples() {
        return draft.compareTo(Draft.DRAFT_2019_09) <= 0;
    }

    boolean hasConditionals() {
        return draft.compareTo(Draft.DRAFT_07) >= 0;
    }

    /** Whether there are named dynamic anchors. */
    boolean hasDynamicAnchors() {
        return draft == Draft.DRAFT_2020_12;
    }

    /** Whether there is the single unnamed recursive anchor. */
    boolean hasRecursiveAnchor() {
        return draft == Draft.DRAFT_2019_09;
    }

    /** The dialect named by {@code $schema}. */
    static Dialect of(ValueNode word, ExternalSchemas documents) {
        if (word.kind != Kind.STRING) {
            throw new UnusableSchemaException(word, "must be a string");
        }
        String named = word.text();
        String uri = named.endsWith("#") ? named.substring(0, named.length() - 1) : named;
        Draft draft = Draft.of(uri);
        if (draft != null) {
            return new Dialect(draft, true);
        }
        Json described = documents.find(uri);
        Json vocabulary = described == null ? null : described.member("$vocabulary");
        if (vocabulary == null || !vocabulary.isObject()) {
            throw new UnusableSchemaException(
                    word,
                    "the dialect "
                            + DisplayText.quote(named)
                            + " is not supported; 2020-12, 2019-09, draft-07 and draft-06 are");
        }
        return fromVocabulary(word, vocabulary);
    }

    private static Dialect fromVocabulary(ValueNode word, Json vocabulary) {
        Draft draft = Draft.DRAFT_2020_12;
        for (Json.Member entry : vocabulary.members()) {
            if (entry.name().startsWith(Draft.DRAFT_2019_09.vocabularyPrefix())) {
                draft = Draft.DRAFT_2019_09;
            }
        }
        for (Json.Member entry : vocabulary.members()) {
            if (entry.value().isTrue() && !entry.name().startsWith(draft.vocabularyPrefix())) {
                throw new UnusableSchemaException(
                        word,
                        "the vocabulary " + DisplayText.quote(entry.name()) + " is not supported");
            }
        }
        return new Dialect(
                draft, vocabulary.member(draft.vocabularyPrefix() + "validation") != null);
    }
}
