package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Findings.Spot;

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
 * The members of one object, taken out by name and type. What is absent or wrong gives the default,
 * so that the caller goes on and finds the next fault; the findings tell the difference.
 */
final class Fields {
    /** The least and the greatest that a number may be. */
    record Range(long min, long max) {
        String wanted() {
            return "Write a whole number from " + min + " to " + max;
        }
    }

    private static final int DIGITS_MAX = 30;

    private final Node.Table table;
    private final String path;
    private final Findings findings;
    private final Variables variables;
    private final Set<String> known = new LinkedHashSet<>();
    private final Map<String, Fields> parts = new LinkedHashMap<>();
    private final Set<String> unset = new LinkedHashSet<>();

    Fields(Node.Table table, String path, Findings findings, Variables variables) {
        this.table = table;
        this.path = path;
        this.findings = findings;
        this.variables = variables;
    }

    boolean has(String key) {
        return table.value(key) != null;
    }

    List<Node.Member> members() {
        return table.members();
    }

    /** The member as it was written, from now on known. */
    @Nullable Node take(String key) {
        known.add(key);
        return table.value(key);
    }

    @Nullable String text(String key) {
        return switch (take(key)) {
            case null -> null;
            case Node.Text text -> expanded(text, () -> spot(key));
            case Node.Broken _ -> null;
            case Node other -> {
                wrongType(spot(key), other, "a text", "Write it in double quotes");
                yield null;
            }
        };
    }

    boolean flag(String key, boolean other) {
        return switch (take(key)) {
            case null -> other;
            case Node.Flag flag -> flag.value();
            case Node.Broken _ -> other;
            case Node.Text text when isFlagWord(text.value()) -> {
                wrongType(spot(key), text, "true or false", "Remove the quotes");
                yield other;
            }
            case Node wrong -> {
                wrongType(spot(key), wrong, "true or false", "Write true or false, without quotes");
                yield other;
            }
        };
    }

    long number(String key, Range range, long other) {
        return switch (take(key)) {
            case null -> other;
            case Node.Numeral number -> inRange(key, number.lexeme(), range, other);
            case Node.Broken _ -> other;
            case Node wrong -> {
                wrongType(spot(key), wrong, "a number", range.wanted());
                yield other;
            }
        };
    }

    /** One of the constants, each written in small letters. */
    <E extends Enum<E>> E word(String key, Class<E> type, E other) {
        if (take(key) == null) {
            return other;
        }
        var words = new LinkedHashMap<String, E>();
        for (E constant : EnumSet.allOf(type)) {
            words.put(constant.name().toLowerCase(Locale.ROOT), constant);
        }
        return word(key, words, other);
    }

    /** The meaning of one of a few words. */
    <T> T word(String key, Map<String, T> words, T other) {
        return switch (take(key)) {
            case null -> other;
            case Node.Text text when words.containsKey(text.value()) ->
                    words.getOrDefault(text.value(), other);
            case Node.Text text -> {
                String near = Suggestion.of(text.value(), words.keySet());
                String wanted = oneOf(words);
                String remedy = near == null ? wanted : "Write " + near + "; or " + lower(wanted);
                String problem = Quoted.of(text.value()) + " is not known here";
                findings.add(Kind.WRONG_VALUE, spot(key), problem, remedy);
                yield other;
            }
            case Node.Broken _ -> other;
            case Node wrong -> {
                wrongType(spot(key), wrong, "a text", oneOf(words));
                yield other;
            }
        };
    }

    List<String> texts(String key) {
        return switch (take(key)) {
            case null -> List.of();
            case Node.Sequence sequence -> {
                var texts = new ArrayList<String>();
                for (int i = 0; i < sequence.elements().size(); i++) {
                    Node element = sequence.elements().get(i);
                    int index = i;
                    String text = element(element, () -> spot(key).element(index, element));
                    if (text != null) {
                        texts.add(text);
                    }
                }
                yield List.copyOf(texts);
            }
            case Node.Broken _ -> List.of();
            case Node wrong -> {
                wrongType(spot(key), wrong, "a list of texts", "Write [\"…\", \"…\"]");
                yield List.of();
            }
        };
    }

    Map<String, String> textMap(String key) {
        return switch (take(key)) {
            case null -> Map.of();
            case Node.Table map -> {
                var texts = new LinkedHashMap<String, String>();
                for (Node.Member member : map.members()) {
                    String name = member.name().value();
                    String text =
                            element(member.value(), () -> spot(key).member(name, member.value()));
                    if (text != null) {
                        texts.put(name, text);
                    }
                }
                yield texts;
            }
            case Node.Broken _ -> Map.of();
            case Node wrong -> {
                wrongType(spot(key), wrong, "an object", "Write {\"NAME\": \"value\"}");
                yield Map.of();
            }
        };
    }

    /** The members of the object of that name; none if it is absent. */
    Fields fields(String key) {
        String way = Quoted.member(path, key);
        Node node = take(key);
        if (node != null && !(node instanceof Node.Table || node instanceof Node.Broken)) {
            wrongType(spot(key), node, "an object", "Write {…}");
        }
        var table = node instanceof Node.Table found ? found : new Node.Table(0, 0, List.of());
        var inner = new Fields(table, way, findings, variables);
        parts.put(key, inner);
        return inner;
    }

    /** Every key that was asked for, those of the objects inside with the way to them. */
    Set<String> knownWays() {
        var ways = new TreeSet<>(known);
        parts.forEach((key, part) -> part.knownWays().forEach(way -> ways.add(key + "." + way)));
        return ways;
    }

    /** The variables that were needed so far, in the objects inside too, and are not set. */
    List<String> unset() {
        var all = new LinkedHashSet<>(unset);
        parts.values().forEach(part -> all.addAll(part.unset()));
        return List.copyOf(all);
    }

    /** Warns of the members that nobody took. The synonyms are words of other programs for ours. */
    void warnOfUnknown(Map<String, String> synonyms) {
        for (Node.Member member : table.members()) {
            String name = member.name().value();
            if (!known.contains(name) && !findings.isFull()) {
                String near = synonyms.getOrDefault(name, Suggestion.of(name, known));
                findings.add(
                        Kind.UNKNOWN_KEY,
                        spot(member),
                        "The key is not known and has no effect",
                        near == null ? "Remove it" : "Write " + near + " if that is meant");
            }
        }
    }

    /** Where the value of a member stands, or the object if it is absent. */
    Spot spot(String key) {
        Node node = table.value(key);
        return new Spot(Quoted.member(path, key), node == null ? table.from() : node.from());
    }

    /** Where the name of a member stands. */
    Spot spot(Node.Member member) {
        return new Spot(Quoted.member(path, member.name().value()), member.name().from());
    }

    /** Where the object itself stands. */
    Spot entry() {
        return new Spot(path, table.from());
    }

    void add(Kind kind, Spot spot, String problem, String remedy) {
        findings.add(kind, spot, problem, remedy);
    }

    /** The text of a node; where it stands is worked out for findings only. */
    private @Nullable String element(Node node, Supplier<Spot> spot) {
        return switch (node) {
            case Node.Text text -> expanded(text, spot);
            case Node.Broken _ -> null;
            case Node.Numeral _, Node.Flag _ -> {
                wrongType(spot.get(), node, "a text", "Write it in double quotes");
                yield null;
            }
            case Node.Null _, Node.Table _, Node.Sequence _ -> {
                wrongType(
                        spot.get(), node, "a text", "Write a text in double quotes, or remove it");
                yield null;
            }
        };
    }

    private @Nullable String expanded(Node.Text text, Supplier<Spot> spot) {
        var expanded = variables.expand(text.value());
        if (expanded.foreign()) {
            findings.add(
                    Kind.FOREIGN_SPELLING,
                    spot.get(),
                    "${env:NAME} is how some editors write a variable; it is understood",
                    "${NAME} does the same");
        }
        unset.addAll(expanded.missing());
        for (String name : expanded.missing()) {
            findings.add(
                    variables.missing(),
                    spot.get(),
                    "The environment variable " + Quoted.plain(name) + " is not set",
                    "Set it, or write ${%s:-default}".formatted(Quoted.plain(name)));
        }
        for (String inside : expanded.illegal()) {
            boolean asked = inside.startsWith("input:");
            findings.add(
                    Kind.WRONG_VALUE,
                    spot.get(),
                    asked
                            ? "${input:…} is asked for by an editor, and nobody can be asked here"
                            : "What follows ${ is no variable",
                    asked
                            ? "Put the value into an environment variable and write ${NAME}"
                            : "Write ${NAME} or ${NAME:-default}, or $${ for these two characters");
        }
        return expanded.isComplete() ? expanded.text() : null;
    }

    private long inRange(String key, String lexeme, Range range, long other) {
        var value = new BigDecimal(lexeme.length() > DIGITS_MAX ? "-1e99" : lexeme);
        boolean inside =
                value.compareTo(BigDecimal.valueOf(range.min())) >= 0
                        && value.compareTo(BigDecimal.valueOf(range.max())) <= 0;
        if (!inside) {
            findings.add(
                    Kind.OUT_OF_RANGE, spot(key), "The number is out of range", range.wanted());
            return other;
        }
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            findings.add(Kind.WRONG_TYPE, spot(key), "The number is not whole", range.wanted());
            return other;
        }
    }

    private void wrongType(Spot spot, Node node, String wanted, String remedy) {
        String problem = "It is " + kind(node) + " and should be " + wanted;
        findings.add(Kind.WRONG_TYPE, spot, problem, remedy);
    }

    private static String kind(Node node) {
        return switch (node) {
            case Node.Table _ -> "an object";
            case Node.Sequence _ -> "a list";
            case Node.Text _ -> "a text";
            case Node.Numeral _ -> "a number";
            case Node.Flag _ -> "true or false";
            case Node.Null _ -> "null";
            case Node.Broken _ -> "no value";
        };
    }

    private static boolean isFlagWord(String text) {
        return text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
    }

    private static String oneOf(Map<String, ?> words) {
        return "Write one of " + String.join(", ", words.keySet());
    }

    private static String lower(String sentence) {
        return Character.toLowerCase(sentence.charAt(0)) + sentence.substring(1);
    }
}
