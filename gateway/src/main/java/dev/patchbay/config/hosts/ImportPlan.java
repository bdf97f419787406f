package dev.patchbay.config.hosts;

import dev.patchbay.config.Finding;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.ConfigEntrySummary;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** What an import would do, entry by entry. */
public record ImportPlan(Path target, List<Source> sources, List<Row> rows) {
    /** What becomes of an entry. */
    public enum Outcome {
        /** It is added. */
        ADD,
        /** It is there already, with the same meaning. */
        SAME,
        /** The program that it comes from uses another entry of that name in its place. */
        HIDDEN,
        /** It is Patchbay itself. */
        SELF,
        /** It would not work; the notes say why. */
        SKIP
    }

    /** A file that was looked at; its faults are those that keep it from being read. */
    public record Source(Path file, boolean exists, List<Finding> errors) {
        public Source {
            errors = List.copyOf(errors);
        }
    }

    /**
     * One entry.
     *
     * @param origin where it stands
     * @param key what it is called there
     * @param entry what is added; null unless the outcome is to add it
     */
    public record Row(
            String origin,
            String key,
            Outcome outcome,
            @Nullable ConfigEntry entry,
            List<String> notes) {
        public Row {
            notes = List.copyOf(notes);
        }

        /** One line for a person, without secrets and without the notes. */
        public String summary() {
            String word =
                    switch (outcome) {
                        case ADD -> "add ";
                        case SAME -> "same";
                        case HIDDEN, SELF, SKIP -> "skip";
                    };
            String what = entry == null ? "" : ": " + ConfigEntrySummary.summarize(entry);
            return word + " " + (entry == null ? SanitizedText.sanitize(key) : entry.key()) + what;
        }

        /** The same with the notes, and never with a secret. */
        @Override
        public String toString() {
            return summary() + (notes.isEmpty() ? "" : " (" + String.join("; ", notes) + ")");
        }
    }

    public ImportPlan {
        sources = List.copyOf(sources);
        rows = List.copyOf(rows);
    }

    /** The same plan with each entry changed before it is added. */
    public ImportPlan withEntries(UnaryOperator<ConfigEntry> change) {
        List<Row> changed =
                rows.stream()
                        .map(
                                row ->
                                        row.entry == null
                                                ? row
                                                : new Row(
                                                        row.origin,
                                                        row.key,
                                                        row.outcome,
                                                        change.apply(row.entry),
                                                        row.notes))
                        .toList();
        return new ImportPlan(target, sources, changed);
    }

    /** What is to be added, in order. */
    public List<ConfigEntry> entries() {
        return rows.stream().map(Row::entry).filter(Objects::nonNull).toList();
    }
}
