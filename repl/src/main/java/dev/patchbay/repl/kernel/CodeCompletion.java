package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;

import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.Documentation;
import jdk.jshell.SourceCodeAnalysis.Suggestion;

import java.util.LinkedHashMap;
import java.util.List;

/** What may stand at a place in code, and the signatures of what is called there. */
final class CodeCompletion {
    private static final int SUGGESTIONS_MAX = 200;
    private static final int SIGNATURES_MAX = 30;

    private CodeCompletion() {}

    static JsonWriter complete(SourceCodeAnalysis analysis, String code, int position) {
        var anchor = new int[1];
        List<Suggestion> all = analysis.completionSuggestions(code, position, anchor);
        // One name stands once, whatever it could be; what fits the type wanted stands first.
        var distinct = new LinkedHashMap<String, Boolean>();
        for (Suggestion suggestion : all) {
            distinct.merge(suggestion.continuation(), suggestion.matchesType(), Boolean::logicalOr);
        }
        JsonWriter answer = KernelChannel.beginMessage("done").member("from", anchor[0]);
        answer.member("count", distinct.size()).name("suggestions").beginArray();
        distinct.entrySet().stream()
                .sorted((one, other) -> Boolean.compare(other.getValue(), one.getValue()))
                .limit(SUGGESTIONS_MAX)
                .forEach(
                        entry ->
                                answer.beginObject()
                                        .member("text", entry.getKey())
                                        .member("fits", entry.getValue())
                                        .endObject());
        answer.endArray().name("signatures").beginArray();
        analysis.documentation(code, position, false).stream()
                .map(Documentation::signature)
                .distinct()
                .limit(SIGNATURES_MAX)
                .forEach(answer::string);
        return answer.endArray();
    }
}
