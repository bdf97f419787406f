package dev.patchbay.config.edit;

import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.SecretDetector;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/** Summarizes an entry on one line, without the values of variables and headers. */
public final class ConfigEntrySummary {
    private ConfigEntrySummary() {}

    public static String summarize(ConfigEntry entry) {
        Json definition = entry.definition();
        var parts = new ArrayList<String>();
        String url = definition.memberText("url");
        String command = definition.memberText("command");
        if (url != null) {
            parts.add(SecretDetector.maskUrl(url));
        } else if (command != null) {
            parts.add(SanitizedText.sanitize(command));
            parts.addAll(maskArguments(definition.member("args")));
        }
        addNames(parts, "env", definition.member("env"));
        addNames(parts, "headers", definition.member("headers"));
        if (Json.FALSE.equals(definition.member("enabled"))) {
            parts.add("(disabled)");
        }
        return String.join(" ", parts);
    }

    private static List<String> maskArguments(@Nullable Json args) {
        var shown = new ArrayList<String>();
        if (args == null || !args.isArray()) {
            return shown;
        }
        String before = "";
        for (Json element : args.elements()) {
            String argument = element.isString() ? element.text() : element.toString();
            shown.add(
                    SecretDetector.isSecretArgument(before, argument)
                            ? SecretDetector.MASK
                            : SanitizedText.sanitize(argument));
            before = argument;
        }
        return shown;
    }

    private static void addNames(List<String> parts, String what, @Nullable Json texts) {
        if (texts != null && texts.isObject() && !texts.members().isEmpty()) {
            var names =
                    texts.members().stream()
                            .map(member -> SanitizedText.sanitize(member.name()))
                            .toList();
            parts.add("(" + what + " " + String.join(", ", names) + ")");
        }
    }
}
