package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.hosts.HostFile.Format;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates variables of another program to Patchbay's syntax. */
final class VariableTranslator {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");

    private static final Pattern BARE_VARIABLE = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)");

    private static final Pattern BRACED_VARIABLE = Pattern.compile("\\{(env|file):([^}]*)}");

    private static final Pattern CONTINUE_VARIABLE =
            Pattern.compile("\\$\\{\\{\\s*(?:secrets|inputs)\\.([^}\\s]+)\\s*}}");

    private final Format format;
    private final Environment environment;
    private final @Nullable Path folder;
    private final Set<String> notes = new LinkedHashSet<>();

    /**
     * Creates a translator.
     *
     * @param folder the project that the file belongs to; null for none
     */
    VariableTranslator(Format format, Environment environment, @Nullable Path folder) {
        this.format = format;
        this.environment = environment;
        this.folder = folder;
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    String translate(String text) {
        return switch (format) {
            // These programs do not expand variables, so the characters are literal.
            case PLAIN, CODEX, ZED -> text.replace("${", "$${");
            case SHELL, CLAUDE_STATE, AMP, GOOSE -> text.replace("${env:", "${");
            case GEMINI, COPILOT -> BARE_VARIABLE.matcher(text).replaceAll("\\${$1}");
            case OPENCODE -> translateOpenCode(text);
            case CONTINUE -> translateContinue(text);
            case EDITOR, CLINE, VSCODE, VSCODE_SETTINGS ->
                    VARIABLE.matcher(text)
                            .replaceAll(
                                    found ->
                                            Matcher.quoteReplacement(
                                                    translateVariable(found.group(1))));
        };
    }

    private static String translateOpenCode(String text) {
        return BRACED_VARIABLE
                .matcher(text.replace("${", "$${"))
                .replaceAll(
                        found -> {
                            String prefix = found.group(1).equals("file") ? "file:" : "";
                            return Matcher.quoteReplacement("${" + prefix + found.group(2) + "}");
                        });
    }

    private String translateContinue(String text) {
        return CONTINUE_VARIABLE
                .matcher(text)
                .replaceAll(
                        found -> {
                            String name = found.group(1).replaceAll("[^A-Za-z0-9_]", "_");
                            notes.add(
                                    "Continue keeps the value of "
                                            + SanitizedText.sanitize(found.group(1))
                                            + "; here it is read from the variable "
                                            + name);
                            return Matcher.quoteReplacement("${" + name + "}");
                        });
    }

    private String unknownFolder(String inside) {
        notes.add(
                "The editor replaces " + inside + " with the open folder; write the path instead");
        return "${" + inside + "}";
    }

    private String translateVariable(String inside) {
        if (inside.startsWith("env:")) {
            return "${" + inside.substring("env:".length()) + "}";
        }
        if (inside.startsWith("input:")) {
            String name = inside.substring("input:".length()).replaceAll("[^A-Za-z0-9]", "_");
            String variable = name.toUpperCase(Locale.ROOT);
            notes.add(
                    "The editor prompts for this value; here it is read from the variable "
                            + SanitizedText.sanitize(variable));
            return "${" + variable + "}";
        }
        return switch (inside) {
            case "userHome" -> environment.home().toString();
            case "pathSeparator", "/" ->
                    environment.platform() == Environment.Platform.WINDOWS ? "\\" : "/";
            case "workspaceFolder" -> folder == null ? unknownFolder(inside) : folder.toString();
            case "workspaceFolderBasename" ->
                    folder == null ? unknownFolder(inside) : String.valueOf(folder.getFileName());
            default -> "${" + inside + "}";
        };
    }
}
