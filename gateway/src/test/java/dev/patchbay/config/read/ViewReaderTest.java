package dev.patchbay.config.read;

import static dev.patchbay.config.read.ConfigSamples.fileWithSettings;
import static dev.patchbay.config.read.ConfigSamples.readValid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.server.ToolFilter;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

class ViewReaderTest {
    @Test
    void viewWithoutMembersShowsEverything() {
        List<CatalogView> views =
                readValid(fileWithSettings("\"views\": {\"all\": {}}"))
                        .configuration()
                        .settings()
                        .views();
        assertThat(views)
                .containsExactly(
                        new CatalogView("all", null, ToolFilter.ALLOW_ALL, null, Map.of()));
    }

    @Test
    void emptyListOfServersMeansNone() {
        CatalogView view =
                readValid(fileWithSettings("\"views\": {\"none\": {\"servers\": []}}"))
                        .configuration()
                        .settings()
                        .view("none")
                        .orElseThrow();
        assertThat(view.servers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"a b\": {}}|is not a valid name of a view",
                "{\"v\": []}|Must be an object",
                "{\"v\": {\"servers\": \"a\"}}|Must be an array of strings",
                "{\"v\": {\"servers\": [\"…\"]}}|is not the name of a server",
                "{\"v\": {\"tools\": {\"exclude\": [\"\"]}}}|A pattern is empty",
                "{\"v\": {\"tools\": [\"a\"]}}|Must be an object",
                "{\"v\": {\"names\": \"long\"}}|is not a valid value",
                "{\"v\": {\"rename\": {\"search\": \"x\"}}}|is not the full name of a tool",
                "{\"v\": {\"rename\": {\"a.b\": \"x__y\"}}}|Not a valid name",
                "{\"v\": {\"rename\": {\"a.b\": \"x\", \"a.c\": \"x\"}}}|has the same new name",
            })
    void wrongViewIsAnError(String views, String problem) {
        ConfigReadResult read = ConfigSamples.read(fileWithSettings("\"views\": " + views));
        assertThat(read.errors()).isNotEmpty();
        assertThat(read.errors().getFirst().toString()).contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                "{\"v\": {\"servers\": [\"none\"]}}|names the server none, which does not exist",
                "{\"v\": {\"tool\": {}}}|Unknown key",
            })
    void doubtfulViewIsAWarning(String views, String problem) {
        assertThat(readValid(fileWithSettings("\"views\": " + views)).findings())
                .anySatisfy(it -> assertThat(it.toString()).contains(problem));
    }
}
