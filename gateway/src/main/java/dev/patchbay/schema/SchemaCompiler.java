package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.json.Json.Kind;
import dev.patchbay.schema.regex.Regex;
import dev.patchbay.schema.regex.RegexSyntaxException;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compiles a schema: reads it, resolves its references, and checks for recursion. Every step is
 * bounded by the size of the schema.
 */
final class SchemaCompiler {
    static final int SUBSCHEMAS_MAX = 5_000;

    /** The maximum nesting of schemas. */
    static final int DEPTH_MAX = 64;

    /** The maximum number of regex instructions; repeating n times needs n of them. */
    static final int PATTERN_INSTRUCTIONS_MAX = 50_000;

    private final ExternalSchemas documents;

    /** By location: every location is compiled once. */
    private final Map<ValueNode, CompiledSchema> schemas = new LinkedHashMap<>();

    private final Map<ValueNode, SchemaResource> resources = new HashMap<>();
    private final Map<String, SchemaResource> resourcesByUri = new HashMap<>();

    /** Keywords that may reject a value because a schema inside accepts it. */
    private static final Set<String> NEGATING_KEYWORDS =
            Set.of("not", "oneOf", "if", "contains", "$defs", "definitions");

    private final Map<String, Regex> patterns = new HashMap<>(0);
    private final ArrayDeque<PendingReference> pendingReferences = new ArrayDeque<>();
    private int patternInstructionsLeft = PATTERN_INSTRUCTIONS_MAX;
    private int depth;
    private boolean tracksEvaluated;

    /** A reference whose target is not resolved yet. */
    private record PendingReference(
            ReferenceRule rule, ValueNode keyword, SchemaResource resource, boolean isDynamic) {}

    SchemaCompiler(ExternalSchemas documents) {
        this.documents = documents;
    }

    CompiledSchema compile(Json json, Dialect dialect) {
        var root = new ValueNode(json);
        CompiledSchema schema = compileDocument(root, UriReference.EMPTY, dialect);
        while (!pendingReferences.isEmpty()) {
            resolveReference(pendingReferences.remove());
        }
        RecursionCheck.check(schemas);
        return schema;
    }

    /** Whether a rule needs to know which children were evaluated. */
    boolean tracksEvaluated() {
        return tracksEvaluated;
    }

    void trackEvaluated() {
        tracksEvaluated = true;
    }

    private CompiledSchema compileDocument(ValueNode root, UriReference uri, Dialect dialect) {
        var home = new SchemaResource(uri, dialectOf(root, dialect), root);
        resourcesByUri.put(uri.toString(), home);
        return schemaAt(root, home);
    }

    private Dialect dialectOf(ValueNode place, Dialect otherwise) {
        ValueNode word = place.member("$schema");
        return word == null ? otherwise : Dialect.of(word, documents);
    }

    /** The schema at a location, which is compiled if needed. */
    CompiledSchema schemaAt(ValueNode place, SchemaResource outer) {
        CompiledSchema known = schemas.get(place);
        if (known != null) {
            return known;
        }
        if (place.kind != Kind.OBJECT && place.kind != Kind.BOOLEAN) {
            throw new UnusableSchemaException(
                    place, "must be a schema, which is an object or a boolean");
        }
        if (schemas.size() == SUBSCHEMAS_MAX) {
            throw new UnusableSchemaException(
                    "has more than " + SUBSCHEMAS_MAX + " schemas within");
        }
        if (depth == DEPTH_MAX) {
            throw new UnusableSchemaException("nests schemas deeper than " + DEPTH_MAX);
        }
        depth++;
        SchemaResource home = place.kind == Kind.OBJECT ? resourceAt(place, outer) : outer;
        var schema = new CompiledSchema(home.dynamicAnchors());
        schemas.put(place, schema);
        resources.put(place, home);
        new SchemaReader(this, place, home).read(schema);
        depth--;
        return schema;
    }

    /** The resource that contains a location: the outer one, or its own if it has an id. */
    private SchemaResource resourceAt(ValueNode place, SchemaResource outer) {
        ValueNode id = place.member("$id");
        if (id == null || (!outer.dialect().isModern() && place.member("$ref") != null)) {
            return outer;
        }
        if (id.kind != Kind.STRING) {
            throw new UnusableSchemaException(id, "must be a string");
        }
        UriReference own = UriReference.of(id.text());
        String anchor = own.decodedFragment();
        if (!anchor.isEmpty()) {
            if (outer.dialect().isModern()) {
                throw new UnusableSchemaException(id, "must not have a fragment");
            }
            outer.anchors().put(anchor, place);
            return outer;
        }
        UriReference uri = outer.uri().resolve(own).withoutFragment();
        if (place == outer.root() && uri.equals(outer.uri())) {
            return outer;
        }
        var home = new SchemaResource(uri, dialectOf(place, outer.dialect()), place);
        SchemaResource other = resourcesByUri.put(uri.toString(), home);
        if (other != null && other.root() != place) {
            throw new UnusableSchemaException(id, "the same $id occurs twice");
        }
        return home;
    }

    Regex compilePattern(ValueNode place, String text) {
        try {
            return compilePattern(text);
        } catch (RegexSyntaxException e) {
            throw new UnusableSchemaException(place, DisplayText.quote(text) + " " + e.reason());
        }
    }

    /**
     * The pattern of a check; null if it refers back to a group, so that it cannot be checked in
     * bounded time. The server checks it itself. Where to skip a check could reject a value that is
     * right, the schema cannot be used.
     */
    @Nullable Regex compileSkippablePattern(ValueNode place, String text) {
        try {
            return compilePattern(text);
        } catch (RegexSyntaxException e) {
            if (e.isBackReference() && canSkip(place)) {
                return null;
            }
            throw new UnusableSchemaException(place, DisplayText.quote(text) + " " + e.reason());
        }
    }

    private Regex compilePattern(String text) {
        Regex known = patterns.get(text);
        if (known == null) {
            known = Regex.of(text, patternInstructionsLeft);
            patternInstructionsLeft -= known.size();
            patterns.put(text, known);
        }
        return known;
    }

    /** Whether a value that passes one check more than it should is never rejected for it. */
    private static boolean canSkip(ValueNode place) {
        for (ValueNode at = place.parent(); at != null; at = at.parent()) {
            if (NEGATING_KEYWORDS.contains(at.name)) {
                return false;
            }
        }
        return true;
    }

    SchemaRule addReference(ValueNode word, SchemaResource home, boolean dynamic) {
        var rule = new ReferenceRule();
        pendingReferences.add(new PendingReference(rule, word, home, dynamic));
        return rule;
    }

    private void resolveReference(PendingReference reference) {
        UriReference uri =
                reference.resource.uri().resolve(UriReference.of(reference.keyword.text()));
        SchemaResource home = findResource(uri.withoutFragment(), reference);
        String fragment = uri.decodedFragment();
        ValueNode place = fragment.isEmpty() ? home.root() : null;
        if (fragment.startsWith("/")) {
            place = followPointer(home.root(), fragment);
        } else if (place == null) {
            place = home.anchors().get(fragment);
        }
        if (place == null) {
            throw new UnusableSchemaException(
                    reference.keyword,
                    ValidationText.quote(reference.keyword) + " refers to nothing");
        }
        CompiledSchema target = schemaAt(place, enclosingResource(place, home));
        if (reference.isDynamic && home.dynamicAnchors().dynamicAnchor(fragment) == target) {
            reference.rule.resolveTo(fragment, target);
        } else {
            reference.rule.resolveTo(target);
        }
    }

    private SchemaResource findResource(UriReference uri, PendingReference reference) {
        SchemaResource known = resourcesByUri.get(uri.toString());
        if (known != null) {
            return resources.getOrDefault(known.root(), known);
        }
        Json document = documents.find(uri.toString());
        if (document == null) {
            throw new UnusableSchemaException(
                    reference.keyword,
                    ValidationText.quote(reference.keyword)
                            + " refers to another document, which is not fetched");
        }
        var root = new ValueNode(document);
        compileDocument(root, uri, reference.resource.dialect());
        return Objects.requireNonNull(resources.get(root));
    }

    private static @Nullable ValueNode followPointer(ValueNode root, String pointer) {
        ValueNode at = root;
        for (String token : pointerTokens(pointer)) {
            at = at.kind == Kind.ARRAY ? elementAt(at, token) : at.member(token);
            if (at == null) {
                return null;
            }
        }
        return at;
    }

    private static List<String> pointerTokens(String pointer) {
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

    private static @Nullable ValueNode elementAt(ValueNode array, String token) {
        int index = token.isEmpty() || token.length() > 6 ? -1 : 0;
        for (int i = 0; i < token.length() && index >= 0; i++) {
            int digit = token.charAt(i) - '0';
            index = digit < 0 || digit > 9 ? -1 : index * 10 + digit;
        }
        List<ValueNode> elements = array.children();
        return index < 0 || index >= elements.size() ? null : elements.get(index);
    }

    /**
     * The resource of the nearest enclosing schema, for a location that was not read as a schema.
     */
    private SchemaResource enclosingResource(ValueNode place, SchemaResource otherwise) {
        for (ValueNode at = place; at != null; at = at.parent()) {
            SchemaResource home = resources.get(at);
            if (home != null) {
                return home;
            }
        }
        return otherwise;
    }
}
