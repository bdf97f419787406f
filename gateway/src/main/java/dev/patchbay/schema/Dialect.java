package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;

/**
 * How the words of a schema are to be read.
 *
 * @param modern 2020-12 if true, draft-07 if not
 * @param asserts whether words like {@code type} and {@code minimum} have a meaning
 */
record Dialect(boolean modern, boolean asserts) {
    static final Dialect DRAFT_2020_12 = new Dialect(true, true);
    static final Dialect DRAFT_07 = new Dialect(false, true);

    static final String DRAFT_2020_12_URI = "https://json-schema.org/draft/2020-12/schema";
    static final String DRAFT_07_URI = "http://json-schema.org/draft-07/schema";

    private static final String VOCABULARY = "https://json-schema.org/draft/2020-12/vocab/";

    /** The dialect that the word {@code $schema} names. */
    static Dialect of(Value word, Documents documents) {
        if (word.kind != Kind.STRING) {
            throw new UnusableException(word, "must be a string");
        }
        String named = word.text();
        String uri = named.endsWith("#") ? named.substring(0, named.length() - 1) : named;
        if (uri.equals(DRAFT_2020_12_URI)) {
            return DRAFT_2020_12;
        }
        if (uri.equals(DRAFT_07_URI) || uri.equals("https" + DRAFT_07_URI.substring(4))) {
            return DRAFT_07;
        }
        Json described = documents.find(uri);
        Json vocabulary = described == null ? null : described.member("$vocabulary");
        if (vocabulary == null || !vocabulary.isObject()) {
            throw new UnusableException(
                    word,
                    "the dialect "
                            + Text.quote(named)
                            + " is not known here; 2020-12 and draft-07 are");
        }
        return described(word, vocabulary);
    }

    private static Dialect described(Value word, Json vocabulary) {
        for (Json.Member entry : vocabulary.members()) {
            if (entry.value().isTrue() && !entry.name().startsWith(VOCABULARY)) {
                throw new UnusableException(
                        word, "the vocabulary " + Text.quote(entry.name()) + " is not known here");
            }
        }
        return new Dialect(true, vocabulary.member(VOCABULARY + "validation") != null);
    }
}
