package dev.patchbay.repl;

import dev.patchbay.json.Json;

import java.util.List;

/**
 * What is to be said about code that was not run.
 *
 * @param isValid whether it compiles in this session
 * @param isComplete whether nothing more must follow
 * @param kinds what its snippets are, in their order
 * @param missing what must be declared before its declarations can be used
 */
public record CodeCheckResult(
        boolean isValid,
        boolean isComplete,
        List<String> kinds,
        List<String> missing,
        List<Diagnostic> diagnostics) {
    public CodeCheckResult {
        kinds = List.copyOf(kinds);
        missing = List.copyOf(missing);
        diagnostics = List.copyOf(diagnostics);
    }

    static CodeCheckResult from(Json json) {
        List<Json> snippets = JsonFields.elements(json, "snippets");
        return new CodeCheckResult(
                JsonFields.isTrue(json, "valid"),
                JsonFields.isTrue(json, "complete"),
                snippets.stream().map(one -> JsonFields.text(one, "kind")).toList(),
                snippets.stream()
                        .flatMap(one -> JsonFields.texts(one, "missing").stream())
                        .distinct()
                        .toList(),
                snippets.stream().flatMap(one -> Diagnostic.listFrom(one).stream()).toList());
    }
}
