package dev.patchbay.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of the page: all served, none with code or style outside of its own file. */
class StaticFilesTest {
    private static final Path FOLDER =
            Path.of("src", "main", "resources", "dev", "patchbay", "dashboard", "web");

    private static List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.sorted().toList();
        }
    }

    @Test
    void exactlyTheFilesOfTheFolderAreServed() throws IOException {
        assertThat(files().stream().map(it -> it.getFileName().toString()))
                .containsExactlyInAnyOrderElementsOf(StaticFiles.files());
    }

    @Test
    void scriptsCreateNoMarkupFromText() throws IOException {
        for (Path file : files()) {
            assertThat(Files.readString(file))
                    .as(file.toString())
                    .doesNotContain(
                            "innerHTML",
                            "outerHTML",
                            "insertAdjacentHTML",
                            "document.write",
                            "eval(",
                            "new Function",
                            "setAttribute('style'");
        }
    }

    @Test
    void pageHasNoInlineCodeOrStyleAndNoExternalRequests() throws IOException {
        String page = Files.readString(FOLDER.resolve("index.html"));
        assertThat(page).doesNotContainPattern("<script(?![^>]*src=\"/)");
        assertThat(page).doesNotContainPattern("<style|style=|\\son[a-z]+=");
        for (Path file : files()) {
            assertThat(Files.readString(file).replace("http://www.w3.org/2000/svg", ""))
                    .as(file.toString())
                    .doesNotContain("http://", "https://", "//cdn");
        }
    }
}
