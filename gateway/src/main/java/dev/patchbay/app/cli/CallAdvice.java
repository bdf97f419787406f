package dev.patchbay.app.cli;

import dev.patchbay.config.read.SpellingSuggestion;
import dev.patchbay.json.Json;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.StringJoiner;

/** Advice for a call that was not sent: the tool's usage, and the name that was probably meant. */
final class CallAdvice {
    private CallAdvice() {}

    /**
     * The unknown arguments of a call, each with the name that was probably meant, and the usage.
     */
    static List<String> forArguments(String tool, Json schema, Json arguments) {
        Json properties = schema.member("properties");
        if (properties == null || !properties.isObject()) {
            return List.of();
        }
        List<String> known = properties.members().stream().map(Json.Member::name).toList();
        var lines = new ArrayList<String>();
        for (Json.Member argument : arguments.members()) {
            if (!known.contains(argument.name())) {
                String near = SpellingSuggestion.closest(argument.name(), known);
                lines.add(
                        "Unknown argument %s.%s"
                                .formatted(
                                        DisplayText.quote(argument.name()),
                                        near == null ? "" : " Did you mean " + near + "?"));
            }
        }
        lines.add(usage(tool, schema, properties));
        return lines;
    }

    private static String usage(String tool, Json schema, Json properties) {
        Set<String> required = requiredNames(schema);
        var first = new StringJoiner(" ");
        var optional = new StringJoiner(" ").setEmptyValue("");
        for (Json.Member property : properties.members()) {
            String argument = property.name() + "=" + typeName(property.value());
            if (required.contains(property.name())) {
                first.add(argument);
            } else {
                optional.add("[" + argument + "]");
            }
        }
        String arguments = (first + " " + optional).strip();
        return ("Usage: patchbay call " + tool + " " + arguments).stripTrailing();
    }

    private static Set<String> requiredNames(Json schema) {
        Json required = schema.member("required");
        var names = new HashSet<String>();
        if (required != null && required.isArray()) {
            required.elements().stream()
                    .filter(Json::isString)
                    .forEach(name -> names.add(name.text()));
        }
        return names;
    }

    private static String typeName(Json property) {
        String type = property.isObject() ? property.memberText("type") : null;
        return type == null ? "VALUE" : type.toUpperCase(Locale.ROOT);
    }

    /**
     * What to do about a name that does not exist.
     *
     * @param lister the command that lists the names
     */
    static List<String> similarNames(String wanted, Collection<String> known, String lister) {
        String near = similarTool(wanted, known);
        return List.of(near == null ? "List them: " + lister : "Did you mean " + near + "?");
    }

    /** The full name of a tool that was probably meant; null if no name is close. */
    static @Nullable String similarTool(String wanted, Collection<String> fullNames) {
        String near = SpellingSuggestion.closest(wanted, fullNames);
        if (near != null || wanted.contains(".")) {
            return near;
        }
        List<String> bareNames =
                fullNames.stream().map(name -> name.substring(name.indexOf('.') + 1)).toList();
        String bare = SpellingSuggestion.closest(wanted, bareNames);
        return bare == null
                ? null
                : fullNames.stream()
                        .filter(name -> name.endsWith("." + bare))
                        .findFirst()
                        .orElse(null);
    }
}
