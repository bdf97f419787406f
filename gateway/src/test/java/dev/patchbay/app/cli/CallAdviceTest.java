package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Test;

import java.util.List;

class CallAdviceTest {
    private static final Json SCHEMA =
            Json.of(
                    """
                    {"type": "object", "required": ["message"],
                     "properties": {"times": {"type": "integer"}, "message": {"type": "string"}}}\
                    """);

    @Test
    void namesUnknownArgumentsAndShowsTheUsage() {
        assertThat(CallAdvice.forArguments("a.echo", SCHEMA, Json.of("{\"mesage\": 1, \"x\": 2}")))
                .containsExactly(
                        "Unknown argument \"mesage\". Did you mean message?",
                        "Unknown argument \"x\".",
                        "Usage: patchbay call a.echo message=STRING [times=INTEGER]");
    }

    @Test
    void suggestsAToolByItsFullOrBareName() {
        var names = List.of("files.list_allowed_directories", "files.read_file", "git.log");
        assertThat(CallAdvice.similarTool("files.list_alowed_directories", names))
                .isEqualTo("files.list_allowed_directories");
        assertThat(CallAdvice.similarTool("read_fil", names)).isEqualTo("files.read_file");
        assertThat(CallAdvice.similarTool("filse.read_file", names)).isEqualTo("files.read_file");
        assertThat(CallAdvice.similarTool("status", names)).isNull();
    }
}
