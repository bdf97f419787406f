package dev.patchbay.conformance.claims;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What of a page must be shown, and what needs not. */
class MarkdownPageTest {
    private static final String TEXT =
            """
            # A heading is none

            One paragraph
            of two lines. It has a second sentence! **And** a third, as in `a.b` or 1.5 s.

            ```
            Code is none.
            ```

            ![A picture. None.](p.png)

            > A block that is quoted.

            | head | is none |
            |---|---|
            | a row | is one. |
            | a row | is one. |
            <!-- A comment. None. -->
            - An item,
              which goes on
            - and another. (In brackets.) `Code` begins one too.
            """;

    @Test
    void splitsAPageIntoBlocks(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("page.md"), TEXT);
        assertThat(MarkdownPage.read(folder, "page.md").blocks())
                .containsExactly(
                        "One paragraph of two lines. It has a second sentence!"
                                + " **And** a third, as in `a.b` or 1.5 s.",
                        "A block that is quoted.",
                        "| a row | is one. |",
                        "An item, which goes on",
                        "and another. (In brackets.) `Code` begins one too.");
    }

    @Test
    void splitsABlockIntoSentences() {
        assertThat(
                        MarkdownPage.splitSentences(
                                "One, as 1.5 s. **Two** ends! (Three.) `Four` is last."))
                .extracting(MarkdownPage.Sentence::text)
                .containsExactly("One, as 1.5 s.", "**Two** ends!", "(Three.)", "`Four` is last.");
    }
}
