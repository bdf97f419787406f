package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.hosts.InstallPlan.Action;
import dev.patchbay.config.hosts.InstallPlan.Change;
import dev.patchbay.config.hosts.McpHost;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Locale;

/** Reports an edit of a host's file. */
sealed interface HostEditReport {
    /** Called before the file is changed. */
    void reportPlanned(Change change);

    /** Called after the change, with the backup that was made or restored. */
    void reportDone(Change change, @Nullable Path backup);

    /** Called instead of a change. */
    void reportDryRun(Change change);

    void reportNoChange(Path file);

    /** Prints text. */
    record AsText(Terminal terminal, McpHost host) implements HostEditReport {
        @Override
        public void reportPlanned(Change change) {
            Path file = change.file().path();
            terminal.print(
                    switch (change.action()) {
                        case ADD -> "Entry to add to " + file + ":";
                        case REPLACE -> "Entry to replace in " + file + ":";
                        case RESTORE, DELETE, CUT -> "Entry to remove from " + file + ":";
                    });
            terminal.print(change.entryText());
            change.notes().forEach(note -> terminal.printMessage(note + "."));
        }

        @Override
        public void reportDone(Change change, @Nullable Path backup) {
            Path file = change.file().path();
            switch (change.action()) {
                case ADD, REPLACE -> {
                    String done = change.action() == Action.ADD ? "Added" : "Updated";
                    terminal.print(
                            "%s Patchbay in %s (%s). Restart %s."
                                    .formatted(done, host.displayName(), file, host.displayName()));
                    terminal.print("Backup: " + backup);
                    terminal.print("Undo: patchbay uninstall " + host.cliName());
                }
                case RESTORE -> printRemoved(file, "The file is as it was before the installation");
                case DELETE -> printRemoved(file, "The file did not exist before and was deleted");
                case CUT -> printRemoved(file, "Other changes of the file were kept");
            }
        }

        private void printRemoved(Path file, String detail) {
            terminal.print(
                    "Removed Patchbay from %s (%s). %s. Restart %s."
                            .formatted(host.displayName(), file, detail, host.displayName()));
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

    /** Prints one line of JSON. */
    record AsJson(Terminal terminal) implements HostEditReport {
        @Override
        public void reportPlanned(Change change) {
            // The line is printed after the change.
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
