package dev.patchbay.app.manual;

import java.util.List;

/** The reference of all commands in the guide. */
public final class CommandReferencePage {
    private static final String HEADER =
            """
            # Commands

            This page is made from the commands themselves: `patchbay manual markdown`. \
            `patchbay COMMAND --help` shows the same.

            Results go to standard output, everything else to standard error. With `--json` the \
            result is one line of JSON, whose members are told in [output](output.md).

            | exit code | means |
            |---|---|
            | 0 | done |
            | 1 | the operation failed |
            | 2 | wrong usage or configuration |

            """;

    private CommandReferencePage() {}

    public static String render(List<ManualEntry> entries) {
        var page = new StringBuilder(HEADER);
        page.append("| command | does |\n|---|---|\n");
        for (ManualEntry entry : entries) {
            page.append(
                    "| [`%s`](#%s) | %s |\n"
                            .formatted(entry.name(), entry.name(), escapeCell(entry)));
        }
        entries.forEach(entry -> append(page, entry));
        return page.toString().stripTrailing();
    }

    private static String escapeCell(ManualEntry entry) {
        return entry.description().replace("|", "\\|");
    }

    private static void append(StringBuilder page, ManualEntry entry) {
        page.append("\n## %s\n\n%s\n\n".formatted(entry.name(), entry.description()));
        page.append("```\n%s\n```\n".formatted(entry.synopsis()));
        if (!entry.arguments().isEmpty()) {
            page.append("\n| | |\n|---|---|\n");
        }
        for (ManualEntry.Argument argument : entry.arguments()) {
            page.append("| `%s` | %s |\n".formatted(argument.syntax(), argument.description()));
        }
    }
}
