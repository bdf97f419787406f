package dev.patchbay.registry;

import dev.patchbay.config.read.SpellingSuggestion;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values that a user gave for the inputs of a server. */
public final class InputAnswers {
    private final Map<String, List<String>> given = new LinkedHashMap<>();

    /**
     * Reads pairs {@code NAME=VALUE} for the inputs of a server. A flag may be written without its
     * dashes. A name can be repeated if its input can.
     */
    public static InputAnswers parse(List<String> pairs, List<DeclaredInput> inputs)
            throws RegistryException {
        var answers = new InputAnswers();
        for (String pair : pairs) {
            int equals = pair.indexOf('=', 1);
            if (equals < 1) {
                throw new RegistryException("'" + pair + "' is not an input: write NAME=VALUE");
            }
            DeclaredInput input = find(pair.substring(0, equals), inputs);
            answers.add(input, pair.substring(equals + 1));
        }
        return answers;
    }

    private static DeclaredInput find(String name, List<DeclaredInput> inputs)
            throws RegistryException {
        for (DeclaredInput input : inputs) {
            if (input.name().equals(name)) {
                return input;
            }
        }
        for (DeclaredInput input : inputs) {
            if (plain(input.name()).equalsIgnoreCase(plain(name))) {
                return input;
            }
        }
        List<String> names = inputs.stream().map(DeclaredInput::name).toList();
        String near = SpellingSuggestion.closest(name, names);
        throw new RegistryException(
                "The server has no input %s.%s"
                        .formatted(
                                name,
                                near != null
                                        ? " Did you mean " + near + "?"
                                        : names.isEmpty()
                                                ? " It has none."
                                                : " It has " + String.join(", ", names) + "."));
    }

    private static String plain(String name) {
        return name.replaceFirst("^-+", "");
    }

    /** Adds an answer after checking it. */
    public void add(DeclaredInput input, String value) throws RegistryException {
        String problem = input.problem(value);
        if (problem != null) {
            throw new RegistryException(problem);
        }
        List<String> values = given.computeIfAbsent(input.name(), _ -> new ArrayList<>());
        if (!values.isEmpty() && !input.rules().isRepeated()) {
            throw new RegistryException(input.name() + " can have one value only");
        }
        values.add(value);
    }

    public boolean isGiven(DeclaredInput input) {
        return given.containsKey(input.name());
    }

    /** The values that were given, as they are to be written. */
    List<String> values(DeclaredInput input) {
        return given.getOrDefault(input.name(), List.of());
    }

    /** The inputs that must have a value and have none. */
    public List<DeclaredInput> missing(List<DeclaredInput> inputs) {
        return inputs.stream()
                .filter(it -> it.rules().isRequired())
                .filter(it -> it.defaultValues().isEmpty() && !isGiven(it))
                .toList();
    }
}
