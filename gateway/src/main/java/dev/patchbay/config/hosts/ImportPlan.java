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

/** The planned import, entry by entry. */
public record ImportPlan(Path target, List<Source> sources, List<Row> rows) {
    /** What happens to an entry. */
    public enum Outcome {
        /** The entry is added. */
        ADD,
        /** An equal entry exists already. */
        SAME,
        /** The host uses another entry of the same name instead. */
        HIDDEN,
        /** The entry is Patchbay itself. */
        SELF,
        /** The entry would not work; the notes say why. */
        SKIP
    }

    /** A file to import from; the errors are those that prevent reading it. */
    public record Source(Path file, boolean exists, List<Finding> errors) {
        public Source {
            errors = List.copyOf(errors);
        }
    }

    /**
     * One entry.
     *
     * @param place where it is defined
     * @param entry the entry to add; null for other outcomes
     */
    public record Row(
            ServerPlace place, Outcome outcome, @Nullable ConfigEntry entry, List<String> notes) {
        public Row {
            notes = List.copyOf(notes);
        }

        /** The name of the server in its file. */
        public String key() {
            return place.key();
        }

        /** One line for display, without secrets and notes. */
        public String summary() {
            String word =
                    switch (outcome) {
                        case ADD -> "add ";
                        case SAME -> "same";
                        case HIDDEN, SELF, SKIP -> "skip";
                    };
            String what = entry == null ? "" : ": " + ConfigEntrySummary.summarize(entry);
            String name = entry == null ? SanitizedText.sanitize(key()) : entry.key();
            return word + " " + name + what;
        }

        /** The summary with the notes, without secrets. */
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
                                                        row.place,
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
