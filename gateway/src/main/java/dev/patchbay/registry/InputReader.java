package dev.patchbay.registry;

import dev.patchbay.json.Json;
import dev.patchbay.registry.DeclaredInput.Format;
import dev.patchbay.registry.DeclaredInput.Rules;
import dev.patchbay.registry.LaunchTemplate.ArgumentTemplate;
import dev.patchbay.registry.ValueTemplate.Part;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads the inputs of a {@code server.json}: arguments, environment variables, headers. */
final class InputReader {
    private InputReader() {}

    /** The arguments of a package or its runtime, in order. */
    static List<ArgumentTemplate> arguments(List<Json> declared) throws RegistryException {
        var arguments = new ArrayList<ArgumentTemplate>();
        for (Json argument : declared) {
            if (!argument.isObject()) {
                throw new RegistryException("An argument of the package is not an object");
            }
            arguments.add(argument(argument, arguments.size() + 1));
        }
        return arguments;
    }

    private static ArgumentTemplate argument(Json argument, int position) throws RegistryException {
        String type = SchemaNames.text(argument, "type");
        String name = SchemaNames.text(argument, "name");
        boolean isNamed = type.isEmpty() ? !name.isEmpty() : type.equals("named");
        if (!isNamed && !type.isEmpty() && !type.equals("positional")) {
            throw new RegistryException("An argument has the unknown type " + type);
        }
        if (!isNamed) {
            String hint = SchemaNames.text(argument, "valueHint");
            String label = firstNonEmpty(hint, name, "argument" + position);
            return new ArgumentTemplate(null, value(argument, label), false);
        }
        if (name.isBlank()) {
            throw new RegistryException("A named argument has no name");
        }
        boolean isFlagAlone =
                !SchemaNames.has(argument, "value")
                        && !SchemaNames.has(argument, "default")
                        && !SchemaNames.isTrue(argument, "isRequired")
                        && !SchemaNames.has(argument, "valueHint")
                        && SchemaNames.list(argument, "choices").isEmpty()
                        && !SchemaNames.has(argument, "format")
                        && !SchemaNames.has(argument, "placeholder")
                        && !SchemaNames.has(argument, "description");
        if (isFlagAlone) {
            return new ArgumentTemplate(name, null, false);
        }
        boolean isJoined = format(argument) == Format.BOOLEAN;
        if (name.endsWith("=")) {
            String flag = name.substring(0, name.length() - 1);
            return new ArgumentTemplate(flag, value(argument, plain(flag)), true);
        }
        ValueTemplate value = value(argument, plain(name));
        return value.equals(ValueTemplate.literal(""))
                ? new ArgumentTemplate(name, null, false)
                : new ArgumentTemplate(name, value, isJoined);
    }

    /** How the user names a flag: without its dashes, because the command line takes those. */
    private static String plain(String flag) {
        String plain = flag.replaceFirst("^-+", "");
        return plain.isEmpty() ? flag : plain;
    }

    /** Named values: environment variables or headers. */
    static Map<String, ValueTemplate> values(List<Json> declared) throws RegistryException {
        var values = new LinkedHashMap<String, ValueTemplate>();
        for (Json value : declared) {
            String name = value.isObject() ? SchemaNames.text(value, "name") : "";
            if (name.isBlank()) {
                throw new RegistryException("A variable or header has no name");
            }
            values.put(name, value(value, name));
        }
        return values;
    }

    private static String firstNonEmpty(String one, String other, String third) {
        if (!one.isEmpty()) {
            return one;
        }
        return other.isEmpty() ? third : other;
    }

    /** The value of an input: its fixed value with variables, or what the user gives. */
    private static ValueTemplate value(Json input, String name) {
        if (SchemaNames.has(input, "value")) {
            return template(
                    SchemaNames.text(input, "value"),
                    variables(
                            SchemaNames.object(input, "variables"),
                            SchemaNames.isTrue(input, "isSecret")));
        }
        return ValueTemplate.of(input(input, name, false));
    }

    /**
     * Reads the inputs that a text refers to.
     *
     * @param areSecret whether the text as a whole is a secret
     */
    static Map<String, DeclaredInput> variables(Json declared, boolean areSecret) {
        var variables = new LinkedHashMap<String, DeclaredInput>();
        for (Json.Member variable : declared.members()) {
            if (variable.value().isObject()) {
                variables.put(variable.name(), input(variable.value(), variable.name(), areSecret));
            }
        }
        return variables;
    }

    /** A text in which names in braces stand for inputs; unknown names are left alone. */
    static ValueTemplate template(String text, Map<String, DeclaredInput> inputs) {
        var parts = new ArrayList<Part>();
        int from = 0;
        int open = text.indexOf('{');
        while (open >= 0) {
            int close = text.indexOf('}', open);
            DeclaredInput input = close < 0 ? null : inputs.get(text.substring(open + 1, close));
            if (input != null) {
                if (open > from) {
                    parts.add(new Part.Literal(text.substring(from, open)));
                }
                parts.add(new Part.Slot(input));
                from = close + 1;
            }
            open = text.indexOf('{', input == null ? open + 1 : from);
        }
        if (from < text.length() || parts.isEmpty()) {
            parts.add(new Part.Literal(text.substring(from)));
        }
        return new ValueTemplate(parts);
    }

    private static DeclaredInput input(Json input, String name, boolean isSecret) {
        // A variable may have a fixed value, too, which is then its default.
        String fixed = SchemaNames.text(input, "value");
        String usual = fixed.isEmpty() ? SchemaNames.text(input, "default") : fixed;
        boolean hasDefault =
                SchemaNames.has(input, "value")
                        || (SchemaNames.has(input, "default") && !usual.isEmpty());
        List<String> choices =
                SchemaNames.list(input, "choices").stream()
                        .map(it -> it.isString() ? it.text() : it.toString())
                        .toList();
        return new DeclaredInput(
                name,
                SchemaNames.text(input, "description"),
                new Rules(
                        SchemaNames.isTrue(input, "isRequired"),
                        isSecret || SchemaNames.isTrue(input, "isSecret"),
                        SchemaNames.isTrue(input, "isRepeated"),
                        format(input),
                        choices),
                hasDefault ? List.of(usual) : List.of());
    }

    private static Format format(Json input) {
        return switch (SchemaNames.text(input, "format").toLowerCase(Locale.ROOT)) {
            case "number" -> Format.NUMBER;
            case "boolean" -> Format.BOOLEAN;
            case "filepath" -> Format.FILEPATH;
            default -> Format.STRING;
        };
    }
}
