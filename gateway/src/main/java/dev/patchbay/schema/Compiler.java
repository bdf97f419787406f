package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Makes rules of one schema: reads all that stands in it, then finds where its references lead,
 * then looks for loops. Every step is bounded by the size of the schema.
 */
final class Compiler {
    static final int SUBSCHEMAS_MAX = 5_000;

    /** Schemas within schemas. */
    static final int DEPTH_MAX = 64;

    /** Steps of all patterns together; a repetition of n times needs n of them. */
    static final int PATTERN_INSTRUCTIONS_MAX = 50_000;

    private final Documents documents;

    /** By the place in the schema, for a place has one meaning only. */
    private final Map<Value, Schema> schemas = new LinkedHashMap<>();

    private final Map<Value, Home> homes = new HashMap<>();
    private final Map<String, Home> homesByUri = new HashMap<>();
    private final Map<String, Regex> patterns = new HashMap<>(0);
    private final ArrayDeque<Open> open = new ArrayDeque<>();
    private int instructionsLeft = PATTERN_INSTRUCTIONS_MAX;
    private int depth;
    private boolean marking;

    /** A reference that does not know its target yet. */
    private record Open(ReferenceRule rule, Value word, Home home, boolean dynamic) {}

    Compiler(Documents documents) {
        this.documents = documents;
    }

    Schema compile(Json json, Dialect dialect) {
        var root = new Value(json);
        Schema schema = document(root, UriReference.EMPTY, dialect);
        while (!open.isEmpty()) {
            close(open.remove());
        }
        Loops.check(schemas);
        return schema;
    }

    /** Whether a rule asks what others looked at. */
    boolean isMarking() {
        return marking;
    }

    void useMarks() {
        marking = true;
    }

    private Schema document(Value root, UriReference uri, Dialect dialect) {
        var home = new Home(uri, dialectOf(root, dialect), root);
        homesByUri.put(uri.toString(), home);
        return schema(root, home);
    }

    private Dialect dialectOf(Value place, Dialect otherwise) {
        Value word = place.member("$schema");
        return word == null ? otherwise : Dialect.of(word, documents);
    }

    /** The schema at a place, which is read now if it was not yet. */
    Schema schema(Value place, Home outer) {
        Schema known = schemas.get(place);
        if (known != null) {
            return known;
        }
        if (place.kind != Kind.OBJECT && place.kind != Kind.BOOLEAN) {
            throw new UnusableException(place, "must be a schema, which is an object or a boolean");
        }
        if (schemas.size() == SUBSCHEMAS_MAX) {
            throw new UnusableException("has more than " + SUBSCHEMAS_MAX + " schemas within");
        }
        if (depth == DEPTH_MAX) {
            throw new UnusableException("nests schemas deeper than " + DEPTH_MAX);
        }
        depth++;
        Home home = place.kind == Kind.OBJECT ? homeAt(place, outer) : outer;
        var schema = new Schema(home.resource());
        schemas.put(place, schema);
        homes.put(place, home);
        new SchemaReader(this, place, home).read(schema);
        depth--;
        return schema;
    }

    /** What references at a place start from: the home around it, or its own if it has an id. */
    private Home homeAt(Value place, Home outer) {
        Value id = place.member("$id");
        if (id == null || (!outer.dialect().isModern() && place.member("$ref") != null)) {
            return outer;
        }
        if (id.kind != Kind.STRING) {
            throw new UnusableException(id, "must be a string");
        }
        UriReference own = UriReference.of(id.text());
        String anchor = own.decodedFragment();
        if (!anchor.isEmpty()) {
            if (outer.dialect().isModern()) {
                throw new UnusableException(id, "must not have a fragment");
            }
            outer.anchors().put(anchor, place);
            return outer;
        }
        UriReference uri = outer.uri().resolve(own).withoutFragment();
        if (place == outer.root() && uri.equals(outer.uri())) {
            return outer;
        }
        var home = new Home(uri, dialectOf(place, outer.dialect()), place);
        Home other = homesByUri.put(uri.toString(), home);
        if (other != null && other.root() != place) {
            throw new UnusableException(id, "the same address stands at two places");
        }
        return home;
    }

    Regex pattern(Value place, String text) {
        Regex known = patterns.get(text);
        if (known == null) {
            try {
                known = Regex.of(text, instructionsLeft);
            } catch (UnusableException e) {
                throw new UnusableException(place, Text.quote(text) + " " + e.reason());
            }
            instructionsLeft -= known.size();
            patterns.put(text, known);
        }
        return known;
    }

    Rule reference(Value word, Home home, boolean dynamic) {
        var rule = new ReferenceRule();
        open.add(new Open(rule, word, home, dynamic));
        return rule;
    }

    private void close(Open reference) {
        UriReference uri = reference.home.uri().resolve(UriReference.of(reference.word.text()));
        Home home = find(uri.withoutFragment(), reference);
        String fragment = uri.decodedFragment();
        Value place = fragment.isEmpty() ? home.root() : null;
        if (fragment.startsWith("/")) {
            place = follow(home.root(), fragment);
        } else if (place == null) {
            place = home.anchors().get(fragment);
        }
        if (place == null) {
            throw new UnusableException(
                    reference.word, Text.quote(reference.word) + " leads to nothing");
        }
        Schema target = schema(place, homeAround(place, home));
        if (reference.dynamic && home.resource().dynamicAnchor(fragment) == target) {
            reference.rule.leadTo(fragment, target);
        } else {
            reference.rule.leadTo(target);
        }
    }

    private Home find(UriReference uri, Open reference) {
        Home known = homesByUri.get(uri.toString());
        if (known != null) {
            return homes.getOrDefault(known.root(), known);
        }
        Json document = documents.find(uri.toString());
        if (document == null) {
            throw new UnusableException(
                    reference.word,
                    Text.quote(reference.word)
                            + " leads out of the schema, and nothing is fetched");
        }
        var root = new Value(document);
        document(root, uri, reference.home.dialect());
        return Objects.requireNonNull(homes.get(root));
    }

    private static @Nullable Value follow(Value root, String pointer) {
        Value at = root;
        for (String token : tokens(pointer)) {
            at = at.kind == Kind.ARRAY ? element(at, token) : at.member(token);
            if (at == null) {
                return null;
            }
        }
        return at;
    }

    private static List<String> tokens(String pointer) {
        var tokens = new ArrayList<String>();
        int from = 1;
        while (from <= pointer.length()) {
            int slash = pointer.indexOf('/', from);
            int to = slash < 0 ? pointer.length() : slash;
            tokens.add(pointer.substring(from, to).replace("~1", "/").replace("~0", "~"));
            from = to + 1;
        }
        return tokens;
    }

    private static @Nullable Value element(Value array, String token) {
        int index = token.isEmpty() || token.length() > 6 ? -1 : 0;
        for (int i = 0; i < token.length() && index >= 0; i++) {
            int digit = token.charAt(i) - '0';
            index = digit < 0 || digit > 9 ? -1 : index * 10 + digit;
        }
        List<Value> elements = array.children();
        return index < 0 || index >= elements.size() ? null : elements.get(index);
    }

    /** The home of the nearest schema around a place that was not read as one. */
    private Home homeAround(Value place, Home otherwise) {
        for (Value at = place; at != null; at = at.parent()) {
            Home home = homes.get(at);
            if (home != null) {
                return home;
            }
        }
        return otherwise;
    }
}
