package dev.patchbay.config;

import dev.patchbay.config.EditResult.Refusal;
import dev.patchbay.config.Finding.Kind;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Edits the servers of a configuration file. Comments, order, indentation and line ends stay as
 * they are; the file is replaced as a whole or not at all.
 */
public final class ConfigEditor {
    static final List<String> KEYS = List.of(ConfigReader.SERVERS, ConfigReader.SERVERS_OF_EDITORS);

    private final Path file;
    private final @Nullable Path base;
    private final ConfigReader reader = new ConfigReader(Map.of());

    public ConfigEditor(Path file) {
        this(file, null);
    }

    /** With another file that it begins as a copy of, if it is not there. */
    ConfigEditor(Path file, @Nullable Path base) {
        this.file = file;
        this.base = base;
    }

    /** Adds a server, and makes the file if there is none. */
    public EditResult add(Entry entry) throws IOException {
        return add(List.of(entry));
    }

    /** Adds servers, all or none. */
    public EditResult add(List<Entry> entries) throws IOException {
        return edit(
                text -> {
                    String now = text;
                    for (Entry entry : entries) {
                        var draft = new Draft(now, KEYS);
                        if (draft.member(entry.key()) != null) {
                            return new Step.No(Refusal.SERVER_EXISTS);
                        }
                        now = draft.with(entry);
                    }
                    return new Step.Text(now);
                });
    }

    /** Removes the server of that id, or of that key. */
    public EditResult remove(String id) throws IOException {
        return edit(
                text -> {
                    var draft = new Draft(text, KEYS);
                    Node.Member member = draft.member(id);
                    return member == null
                            ? new Step.No(Refusal.NO_SUCH_SERVER)
                            : new Step.Text(draft.without(member));
                });
    }

    public EditResult enable(String id) throws IOException {
        return switchTo(id, true);
    }

    public EditResult disable(String id) throws IOException {
        return switchTo(id, false);
    }

    private EditResult switchTo(String id, boolean on) throws IOException {
        return edit(
                text -> {
                    var draft = new Draft(text, KEYS);
                    Node.Member member = draft.member(id);
                    return member == null
                            ? new Step.No(Refusal.NO_SUCH_SERVER)
                            : new Step.Text(draft.switched(member, on));
                });
    }

    /** What an edit makes of a text. */
    private sealed interface Step {
        record Text(String text) implements Step {}

        record No(Refusal why) implements Step {}
    }

    private EditResult edit(Function<String, Step> change) throws IOException {
        byte[] before = AtomicFile.read(file, ConfigReader.FILE_BYTES_MAX);
        Path read = before == null && base != null ? base : file;
        byte[] start =
                read.equals(file) ? before : AtomicFile.read(read, ConfigReader.FILE_BYTES_MAX);
        String found = start == null ? "" : new String(start, StandardCharsets.UTF_8);
        String text = found.isBlank() ? Draft.NEW_FILE : found;
        if (start != null && !found.isBlank()) {
            ConfigFile meant = reader.read(start);
            if (hasFaults(meant)) {
                return new EditResult.Refused(read, Refusal.FAULTY_FILE, meant.findings());
            }
        }
        return switch (change.apply(text)) {
            case Step.No(Refusal why) -> new EditResult.Refused(file, why, List.of());
            case Step.Text(String after) when after.equals(text) -> new EditResult.Unchanged(file);
            case Step.Text(String after) -> write(before, after);
        };
    }

    private EditResult write(byte @Nullable [] before, String after) throws IOException {
        byte[] bytes = after.getBytes(StandardCharsets.UTF_8);
        var read = reader.read(bytes);
        if (hasFaults(read)) {
            return new EditResult.Refused(file, Refusal.ILLEGAL_ENTRY, read.findings());
        }
        AtomicFile.replace(file, before, bytes);
        var said = read.findings().stream().filter(f -> !isOfEnvironment(f)).toList();
        return new EditResult.Changed(file, before == null, said);
    }

    /** Faults of the text itself: which variables are set where it is edited does not matter. */
    private static boolean hasFaults(ConfigFile read) {
        return read.findings().stream()
                .anyMatch(finding -> finding.isError() && !isOfEnvironment(finding));
    }

    private static boolean isOfEnvironment(Finding finding) {
        return finding.kind() == Kind.MISSING_VARIABLE || finding.kind() == Kind.SERVER_VARIABLE;
    }
}
