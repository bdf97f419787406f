package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.DeferredText;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Reads the members of one object by name and type. A missing or invalid member yields the default,
 * so that reading continues and finds further errors; the findings tell the cases apart.
 */
final class ObjectReader {
    /** The minimum and the maximum of a number. */
    record Range(long min, long max) {
        String remedy() {
            return "Write a whole number from " + min + " to " + max;
        }
    }

    private static final int DIGITS_MAX = 30;

    private final SyntaxNode.ObjectNode object;
    private final String path;
    private final FindingCollector findings;
    private final VariableExpander variables;
    private final Set<String> knownKeys = new LinkedHashSet<>();
    private final Map<String, ObjectReader> children = new LinkedHashMap<>();
    private final Set<String> unsetVariables = new LinkedHashSet<>();

    ObjectReader(
            SyntaxNode.ObjectNode table,
            String path,
            FindingCollector findings,
            VariableExpander variables) {
        this.object = table;
        this.path = path;
        this.findings = findings;
        this.variables = variables;
    }

    boolean has(String key) {
        return object.value(key) != null;
    }

    List<SyntaxNode.Member> members() {
        return object.members();
    }

    /** The member as a node. Its key counts as known. */
    @Nullable SyntaxNode readNode(String key) {
        knownKeys.add(key);
        return object.value(key);
    }

    @Nullable String readString(String key) {
        return switch (readNode(key)) {
            case null -> null;
            case SyntaxNode.StringNode text -> stringOf(text, () -> locationOf(key));
            case SyntaxNode.InvalidNode _ -> null;
            case SyntaxNode other -> {
                addWrongType(locationOf(key), other, "a string", "Write it in double quotes");
                yield null;
            }
        };
    }

    boolean readBoolean(String key, boolean other) {
        return switch (readNode(key)) {
            case null -> other;
            case SyntaxNode.BooleanNode flag -> flag.value();
            case SyntaxNode.InvalidNode _ -> other;
            case SyntaxNode.StringNode text when isBooleanWord(text.value()) -> {
                addWrongType(locationOf(key), text, "true or false", "Remove the quotes");
                yield other;
            }
            case SyntaxNode wrong -> {
                addWrongType(
                        locationOf(key),
                        wrong,
                        "true or false",
                        "Write true or false, without quotes");
                yield other;
            }
        };
    }

    long readInteger(String key, Range range, long other) {
        return switch (readNode(key)) {
            case null -> other;
            case SyntaxNode.NumberNode number -> parseInRange(key, number.digits(), range, other);
            case SyntaxNode.InvalidNode _ -> other;
            case SyntaxNode wrong -> {
                addWrongType(locationOf(key), wrong, "a number", range.remedy());
                yield other;
            }
        };
    }

    /** One of the constants of an enum, in lower case. */
    <E extends Enum<E>> E readConstant(String key, Class<E> type, E other) {
        if (readNode(key) == null) {
            return other;
        }
        var words = new LinkedHashMap<String, E>();
        for (E constant : EnumSet.allOf(type)) {
            words.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        return readConstant(key, words, other);
    }

    /** One of the given words. */
    <T> T readConstant(String key, Map<String, T> words, T other) {
        return switch (readNode(key)) {
            case null -> other;
            case SyntaxNode.StringNode text when words.containsKey(text.value()) ->
                    words.getOrDefault(text.value(), other);
            case SyntaxNode.StringNode text -> {
                String near = SpellingSuggestion.closest(text.value(), words.keySet());
                String wanted = oneOf(words);
                String remedy =
                        near == null
                                ? wanted
                                : "Write " + near + "; or " + lowerFirstLetter(wanted);
                String problem = SanitizedText.quote(text.value()) + " is not a valid value";
                findings.add(Kind.WRONG_VALUE, locationOf(key), problem, remedy);
                yield other;
            }
            case SyntaxNode.InvalidNode _ -> other;
            case SyntaxNode wrong -> {
                addWrongType(locationOf(key), wrong, "a string", oneOf(words));
                yield other;
            }
        };
    }

    List<String> readStrings(String key) {
        return switch (readNode(key)) {
            case null -> List.of();
            case SyntaxNode.ArrayNode sequence -> {
                var texts = new ArrayList<String>();
                for (int i = 0; i < sequence.elements().size(); i++) {
                    SyntaxNode element = sequence.elements().get(i);
                    int index = i;
                    String text = stringOf(element, () -> locationOf(key).element(index, element));
                    if (text != null) {
                        texts.add(text);
                    }
                }
                yield List.copyOf(texts);
            }
            case SyntaxNode.InvalidNode _ -> List.of();
            case SyntaxNode wrong -> {
                addWrongType(locationOf(key), wrong, "an array of strings", "Write [\"…\", \"…\"]");
                yield List.of();
            }
        };
    }

    /** The members of the object of that name, which are texts that may refer to secrets. */
    ConfiguredValues readValues(String key) {
        return switch (readNode(key)) {
            case null -> ConfiguredValues.NONE;
            case SyntaxNode.ObjectNode map -> {
                var texts = new LinkedHashMap<String, DeferredText>();
                for (SyntaxNode.Member member : map.members()) {
                    String name = member.name().value();
                    Supplier<Location> spot = () -> locationOf(key).member(name, member.value());
                    DeferredText text = textOf(member.value(), spot, true);
                    if (text != null) {
                        texts.put(name, text);
                    }
                }
                yield new ConfiguredValues(texts);
            }
            case SyntaxNode.InvalidNode _ -> ConfiguredValues.NONE;
            case SyntaxNode wrong -> {
                addWrongType(locationOf(key), wrong, "an object", "Write {\"NAME\": \"value\"}");
                yield ConfiguredValues.NONE;
            }
        };
    }

    /** The members of a nested object; empty if it is missing. */
    ObjectReader readObject(String key) {
        String way = SanitizedText.memberPath(path, key);
        SyntaxNode node = readNode(key);
        if (node != null
                && !(node instanceof SyntaxNode.ObjectNode
                        || node instanceof SyntaxNode.InvalidNode)) {
            addWrongType(locationOf(key), node, "an object", "Write {…}");
        }
        var table =
                node instanceof SyntaxNode.ObjectNode found
                        ? found
                        : new SyntaxNode.ObjectNode(0, 0, List.of());
        var inner = new ObjectReader(table, way, findings, variables);
        children.put(key, inner);
        return inner;
    }

    /** The members of each object of an array; empty if it is missing. */
    List<ObjectReader> readObjects(String key) {
        SyntaxNode node = readNode(key);
        var readers = new ArrayList<ObjectReader>();
        if (node instanceof SyntaxNode.ArrayNode sequence) {
            for (SyntaxNode element : sequence.elements()) {
                Location spot = locationOf(key).element(readers.size(), element);
                if (!(element instanceof SyntaxNode.ObjectNode table)) {
                    addWrongType(spot, element, "an object", "Write {…}");
                    break;
                }
                readers.add(new ObjectReader(table, spot.path(), findings, variables));
            }
        } else if (node != null && !(node instanceof SyntaxNode.InvalidNode)) {
            addWrongType(locationOf(key), node, "an array of objects", "Write [{…}]");
        }
        return readers;
    }

    /** All known keys, including the paths of nested ones. */
    Set<String> knownPaths() {
        var ways = new TreeSet<>(knownKeys);
        children.forEach(
                (key, part) -> part.knownPaths().forEach(way -> ways.add(key + "." + way)));
        return ways;
    }

    /** The variables used so far that are not set, including those in nested objects. */
    List<String> unsetVariables() {
        var all = new LinkedHashSet<>(unsetVariables);
        children.values().forEach(part -> all.addAll(part.unsetVariables()));
        return List.copyOf(all);
    }

    /** Warns of members that were not read. The synonyms are keys of other programs. */
    void warnOfUnknownKeys(Map<String, String> synonyms) {
        for (SyntaxNode.Member member : object.members()) {
            String name = member.name().value();
            if (!knownKeys.contains(name) && !findings.isFull()) {
                String near =
                        synonyms.getOrDefault(name, SpellingSuggestion.closest(name, knownKeys));
                findings.add(
                        Kind.UNKNOWN_KEY,
                        locationOf(member),
                        "Unknown key, ignored",
                        near == null ? "Remove it" : "Write " + near + " if that is meant");
            }
        }
    }

    /** The location of a member's value, or of the object if it is missing. */
    Location locationOf(String key) {
        SyntaxNode node = object.value(key);
        return new Location(
                SanitizedText.memberPath(path, key), node == null ? object.from() : node.from());
    }

    /** The location of a member's name. */
    Location locationOf(SyntaxNode.Member member) {
        return new Location(
                SanitizedText.memberPath(path, member.name().value()), member.name().from());
    }

    /** The location of the object. */
    Location location() {
        return new Location(path, object.from());
    }

    void addFinding(Kind kind, Location spot, String problem, String remedy) {
        findings.add(kind, spot, problem, remedy);
    }

    /** The text of a node; its location is computed for findings only. */
    private @Nullable String stringOf(SyntaxNode node, Supplier<Location> spot) {
        DeferredText text = textOf(node, spot, false);
        return text == null ? null : text.literalText();
    }

    private @Nullable DeferredText textOf(
            SyntaxNode node, Supplier<Location> spot, boolean mayRefer) {
        return switch (node) {
            case SyntaxNode.StringNode text -> expandVariables(text, spot, mayRefer);
            case SyntaxNode.InvalidNode _ -> null;
            case SyntaxNode.NumberNode _, SyntaxNode.BooleanNode _ -> {
                addWrongType(spot.get(), node, "a string", "Write it in double quotes");
                yield null;
            }
            case SyntaxNode.NullNode _, SyntaxNode.ObjectNode _, SyntaxNode.ArrayNode _ -> {
                addWrongType(
                        spot.get(),
                        node,
                        "a string",
                        "Write a string in double quotes, or remove it");
                yield null;
            }
        };
    }

    private @Nullable DeferredText expandVariables(
            SyntaxNode.StringNode text, Supplier<Location> spot, boolean mayRefer) {
        var expanded =
                mayRefer
                        ? variables.expandWithReferences(text.value())
                        : variables.expand(text.value());
        if (expanded.usesEditorSyntax()) {
            findings.add(
                    Kind.FOREIGN_SPELLING,
                    spot.get(),
                    "${env:NAME} is the syntax of some editors; it is accepted",
                    "${NAME} means the same");
        }
        unsetVariables.addAll(expanded.missing());
        for (String name : expanded.missing()) {
            findings.add(
                    variables.missingKind(),
                    spot.get(),
                    "The environment variable " + SanitizedText.sanitize(name) + " is not set",
                    "Set it, or write ${%s:-default}".formatted(SanitizedText.sanitize(name)));
        }
        for (String inside : expanded.illegal()) {
            InvalidVariable.addFinding(findings, spot.get(), inside, mayRefer);
        }
        return expanded.isComplete() ? expanded.value() : null;
    }

    private long parseInRange(String key, String lexeme, Range range, long other) {
        var value = new BigDecimal(lexeme.length() > DIGITS_MAX ? "-1e99" : lexeme);
        boolean inside =
                value.compareTo(BigDecimal.valueOf(range.min())) >= 0
                        && value.compareTo(BigDecimal.valueOf(range.max())) <= 0;
        if (!inside) {
            findings.add(
                    Kind.OUT_OF_RANGE,
                    locationOf(key),
                    "The number is out of range",
                    range.remedy());
            return other;
        }
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            findings.add(
                    Kind.WRONG_TYPE, locationOf(key), "Must be a whole number", range.remedy());
            return other;
        }
    }

    private void addWrongType(Location spot, SyntaxNode node, String wanted, String remedy) {
        String problem = "Must be " + wanted + ", not " + typeName(node);
        findings.add(Kind.WRONG_TYPE, spot, problem, remedy);
    }

    private static String typeName(SyntaxNode node) {
        return switch (node) {
            case SyntaxNode.ObjectNode _ -> "an object";
            case SyntaxNode.ArrayNode _ -> "an array";
            case SyntaxNode.StringNode _ -> "a string";
            case SyntaxNode.NumberNode _ -> "a number";
            case SyntaxNode.BooleanNode _ -> "a boolean";
            case SyntaxNode.NullNode _ -> "null";
            case SyntaxNode.InvalidNode _ -> "an invalid value";
        };
    }

    private static boolean isBooleanWord(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    private static String oneOf(Map<String, ?> words) {
        return "Write one of " + String.join(", ", words.keySet());
    }

    private static String lowerFirstLetter(String sentence) {
        return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
