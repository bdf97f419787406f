package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.hosts.InstallPlan.Action;
import dev.patchbay.config.hosts.InstallPlan.Change;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Locale;

/** What is told of an edit of a host's file. */
sealed interface InstallReport {
    /** Before the file is changed. */
    void reportPlanned(Change change);

    /** Afterwards, with the copy that was made or used up. */
    void reportDone(Change change, @Nullable Path backup);

    /** In place of a change. */
    void reportDryRun(Change change);

    void reportNoChange(Path file);

    /** For a person. */
    record AsText(Terminal terminal) implements InstallReport {
        @Override
        public void reportPlanned(Change change) {
            Path file = change.file().path();
            terminal.print(
                    switch (change.action()) {
                        case ADD -> "Adds the server patchbay to " + file + ":";
                        case REPLACE -> "Replaces the server patchbay in " + file + ":";
                        case RESTORE, DELETE, CUT ->
                                "Takes the server patchbay out of " + file + ":";
                    });
            terminal.print(change.entryText());
            change.notes().forEach(terminal::printMessage);
        }

        @Override
        public void reportDone(Change change, @Nullable Path backup) {
            Path file = change.file().path();
            switch (change.action()) {
                case ADD, REPLACE -> {
                    terminal.print("Changed " + file);
                    terminal.print("Backup: " + backup);
                }
                case RESTORE -> terminal.print("Restored " + file + ", byte by byte as it was");
                case DELETE -> terminal.print("Removed " + file + ", which was not there before");
                case CUT -> terminal.print("Changed " + file);
            }
        }

        @Override
        public void reportDryRun(Change change) {
            reportPlanned(change);
            terminal.print("Nothing was changed.");
        }

        @Override
        public void reportNoChange(Path file) {
            terminal.print("Nothing to change in " + file);
        }
    }

    /** For a program: one line. */
    record AsJson(Terminal terminal) implements InstallReport {
        @Override
        public void reportPlanned(Change change) {
            // All is told afterwards.
        }

        @Override
        public void reportDone(Change change, @Nullable Path backup) {
            boolean kept = change.action() == Action.ADD || change.action() == Action.REPLACE;
            print(change, true, kept ? backup : null);
        }

        @Override
        public void reportDryRun(Change change) {
            print(change, false, null);
        }

        @Override
        public void reportNoChange(Path file) {
            var json = new JsonWriter().beginObject().member("file", file.toString());
            json.member("action", "none").member("changed", false);
            terminal.print(json.endObject().toJson().toString());
        }

        private void print(Change change, boolean changed, @Nullable Path backup) {
            var json = new JsonWriter().beginObject();
            json.member("file", change.file().path().toString());
            json.member("action", change.action().name().toLowerCase(Locale.ROOT));
            json.member("changed", changed).member("entry", change.entry());
            if (backup != null) {
                json.member("backup", backup.toString());
            }
            json.name("notes").beginArray();
            change.notes().forEach(json::string);
            terminal.print(json.endArray().endObject().toJson().toString());
        }
    }
}
