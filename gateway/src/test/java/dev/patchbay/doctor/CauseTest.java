package dev.patchbay.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

class CauseTest {
    /** A heading, and the word that the text under it begins with. */
    private static final Pattern ENTRY =
            Pattern.compile("(?m)^### `([A-Z_]+)`\\n\\n(Error|Warning|Note)\\.");

    @Test
    void guideListsEveryCauseWithItsSeverity() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "troubleshooting.md"));
        var told =
                ENTRY.matcher(page)
                        .results()
                        .map(it -> it.group(1) + " " + it.group(2).toLowerCase(Locale.ROOT));
        var known =
                Arrays.stream(Cause.values()).map(it -> it.name() + " " + it.severity().label());

        assertThat(told).containsExactlyInAnyOrderElementsOf(known.toList());
    }
}
