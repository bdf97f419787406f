package dev.patchbay.app.manual;

import dev.patchbay.app.wiring.ProductInfo;

import java.util.List;

/** The command reference as a manual page. */
public final class ManPage {
    private static final String FOOTER =
            """
            .SH FILES
            .TP
            patchbay.json, .mcp.json
            the configuration in the working directory
            .TP
            ~/.config/patchbay/patchbay.json
            the configuration of the user
            .SH ENVIRONMENT
            .TP
            PATCHBAY_JAVA_OPTS
            more options for the JVM, separated by spaces
            .TP
            PATCHBAY_REGISTRY
            the MCP registry: its base URL, or a file with entries of one
            .TP
            NO_COLOR
            if set, no colours are used
            .SH EXIT STATUS
            .TP
            0
            done
            .TP
            1
            the operation failed
            .TP
            2
            wrong usage or configuration\
            """;

    private ManPage() {}

    public static String render(List<ManualEntry> entries) {
        var page = new StringBuilder();
        page.append(".TH PATCHBAY 1 \"\" \"patchbay %s\"\n".formatted(ProductInfo.version()));
        page.append(".SH NAME\npatchbay \\- one MCP endpoint for all of your MCP servers\n");
        page.append(".SH SYNOPSIS\n.B patchbay\n.I COMMAND\n[\\fIARGUMENT\\fR...]\n");
        page.append(".SH COMMANDS\n");
        for (ManualEntry entry : entries) {
            page.append(".SS %s\n".formatted(escape(entry.synopsis().replace("\n", " | "))));
            page.append(escape(entry.description())).append('\n');
            for (ManualEntry.Argument argument : entry.arguments()) {
                page.append(".TP\n%s\n".formatted(escape(argument.syntax())));
                page.append(escape(argument.description())).append('\n');
            }
            if (!entry.examples().isEmpty()) {
                page.append(".PP\nFor example:\n.nf\n");
                entry.examples().forEach(it -> page.append(escape(it)).append('\n'));
                page.append(".fi\n");
            }
        }
        return page.append(FOOTER).toString();
    }

    /** Escapes characters that the formatter would interpret. */
    private static String escape(String text) {
        String safe = text.replace("\\", "\\e").replace("-", "\\-");
        return safe.startsWith(".") || safe.startsWith("'") ? "\\&" + safe : safe;
    }
}
