package dev.patchbay.conformance.claims;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class MarkdownPageTest {
    private static final String TEXT =
            """
            # A title, and `code`

            A paragraph.

            ## Only code

            ```
            # no heading
            ```

            ## Only an image and a comment

            ![A picture.](p.png)
            <!-- A comment. -->

            ## A table

            | head |
            |---|
            | a row |

            ### A list
            - an item
            """;

    @Test
    void listsTheSectionsThatContainText(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("page.md"), TEXT);
        assertThat(MarkdownPage.read(folder, "page.md").anchors())
                .containsExactly("a-title-and-code", "a-table", "a-list");
    }
}
