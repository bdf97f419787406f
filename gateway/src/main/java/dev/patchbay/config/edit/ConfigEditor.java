package dev.patchbay.config.edit;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.edit.EditResult.Refusal;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.syntax.SyntaxNode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Edits the servers of a configuration file. Comments, order, indentation and line endings are
 * kept. The file is replaced atomically.
 */
public final class ConfigEditor {
    public static final List<String> SERVER_LIST_KEYS =
            List.of(ConfigReader.MCP_SERVERS_KEY, ConfigReader.EDITOR_SERVERS_KEY);

    private final Path file;
    private final @Nullable Path template;
    private final ConfigReader reader = new ConfigReader(Map.of());

    public ConfigEditor(Path file) {
        this(file, null);
    }

    /**
     * Creates an editor.
     *
     * @param base the file to copy if the edited file does not exist; null for none
     */
    public ConfigEditor(Path file, @Nullable Path base) {
        this.file = file;
        this.template = base;
    }

    /** Adds a server, and creates the file if it does not exist. */
    public EditResult add(ConfigEntry entry) throws IOException {
        return add(List.of(entry));
    }

    /** Adds all of the servers, or none. */
    public EditResult add(List<ConfigEntry> entries) throws IOException {
        return edit(
                text -> {
                    String now = text;
                    for (ConfigEntry entry : entries) {
                        var draft = new EditableConfig(now, SERVER_LIST_KEYS);
                        if (draft.findMember(entry.key()) != null) {
                            return new EditStep.Rejected(Refusal.SERVER_EXISTS);
                        }
                        now = draft.withEntry(entry);
                    }
                    return new EditStep.NewText(now);
                });
    }

    /** Removes the server with the given id or key. */
    public EditResult remove(String id) throws IOException {
        return edit(
                text -> {
                    var draft = new EditableConfig(text, SERVER_LIST_KEYS);
                    SyntaxNode.Member member = draft.findMember(id);
                    return member == null
                            ? new EditStep.Rejected(Refusal.NO_SUCH_SERVER)
                            : new EditStep.NewText(draft.withoutMember(member));
                });
    }

    public EditResult enable(String id) throws IOException {
        return setEnabled(id, true);
    }

    public EditResult disable(String id) throws IOException {
        return setEnabled(id, false);
    }

    private EditResult setEnabled(String id, boolean on) throws IOException {
        return edit(
                text -> {
                    var draft = new EditableConfig(text, SERVER_LIST_KEYS);
                    SyntaxNode.Member member = draft.findMember(id);
                    return member == null
                            ? new EditStep.Rejected(Refusal.NO_SUCH_SERVER)
                            : new EditStep.NewText(draft.withEnabled(member, on));
                });
    }

    /** The result of applying an edit to the text. */
    private sealed interface EditStep {
        record NewText(String text) implements EditStep {}

        record Rejected(Refusal reason) implements EditStep {}
    }

    private EditResult edit(Function<String, EditStep> change) throws IOException {
        byte[] before = AtomicFile.readIfExists(file, ConfigReader.FILE_BYTES_MAX);
        Path read = before == null && template != null ? template : file;
        byte[] start =
                read.equals(file)
                        ? before
                        : AtomicFile.readIfExists(read, ConfigReader.FILE_BYTES_MAX);
        String found = start == null ? "" : new String(start, StandardCharsets.UTF_8);
        String text = found.isBlank() ? EditableConfig.EMPTY_FILE : found;
        if (start != null && !found.isBlank()) {
            ConfigReadResult meant = reader.read(start);
            if (hasErrors(meant)) {
                return new EditResult.Refused(read, Refusal.INVALID_FILE, meant.findings());
            }
        }
        return switch (change.apply(text)) {
            case EditStep.Rejected(Refusal why) -> new EditResult.Refused(file, why, List.of());
            case EditStep.NewText(String after) when after.equals(text) ->
                    new EditResult.Unchanged(file);
            case EditStep.NewText(String after) -> write(before, after);
        };
    }

    private EditResult write(byte @Nullable [] before, String after) throws IOException {
        byte[] bytes = after.getBytes(StandardCharsets.UTF_8);
        var read = reader.read(bytes);
        if (hasErrors(read)) {
            return new EditResult.Refused(file, Refusal.INVALID_ENTRY, read.findings());
        }
        AtomicFile.replace(file, before, bytes);
        var said = read.findings().stream().filter(f -> !dependsOnEnvironment(f)).toList();
        return new EditResult.Changed(file, before == null, said);
    }

    /** Whether the text has errors. Variables that are not set do not count. */
    private static boolean hasErrors(ConfigReadResult read) {
        return read.findings().stream()
                .anyMatch(finding -> finding.isError() && !dependsOnEnvironment(finding));
    }

    private static boolean dependsOnEnvironment(Finding finding) {
        return finding.kind() == Kind.MISSING_VARIABLE || finding.kind() == Kind.SERVER_VARIABLE;
    }
}
