package dev.patchbay.config.hosts;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.Environment;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.TextPosition;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.InstallPlan.Action;
import dev.patchbay.config.hosts.InstallPlan.Change;
import dev.patchbay.config.hosts.InstallPlan.FileContents;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Adds Patchbay to the servers of a host, and removes it again. The other servers of the host are
 * not changed. A backup of the file is kept next to it; the removal restores that backup if nothing
 * else has changed.
 */
public final class Installer {
    static final String OLDER_CONTINUE_FILE =
            "Continue uses config.json here, and ignores it as soon as there is a config.yaml";

    /**
     * What a host starts: the launcher, and the configuration file and the view to pass.
     *
     * @param config null for none
     * @param view null for none
     */
    public record LaunchCommand(Path launcher, @Nullable Path config, @Nullable String view) {
        public LaunchCommand(Path launcher, @Nullable Path config) {
            this(launcher, config, null);
        }
    }

    private final HostFileLocator files;
    private final Backups backups;

    public Installer(Environment environment, InstantSource clock) {
        files = new HostFileLocator(environment);
        backups = new Backups(clock);
    }

    /** Plans the installation into a host's file. */
    public InstallPlan planInstall(McpHost host, Scope scope, LaunchCommand program)
            throws IOException {
        HostFile file = hostFile(host, scope);
        String before = read(file);
        if (before == null && hasOlderContinueFile(file)) {
            return refused(file, OLDER_CONTINUE_FILE, "Convert it to config.yaml first");
        }
        var text = new HostFileText(file, before == null ? "" : before);
        if (before != null && !before.isBlank() && !text.errors().isEmpty()) {
            return new InstallPlan.Refused(file, text.errors());
        }
        Json entry = PatchbayEntry.create(host, program);
        Json own = text.ownEntry();
        if (entry.equals(own)) {
            return new InstallPlan.NoChange(file);
        }
        if (own != null && !text.hasPatchbay()) {
            return refused(file, "The file has another server named patchbay", "Rename it first");
        }
        String after = text.withEntry(entry);
        var changed = new HostFileText(file, after);
        if (!changed.errors().isEmpty() || !entry.equals(changed.ownEntry())) {
            return refused(
                    file, "The entry cannot be added safely", "Add the entry with an editor");
        }
        var notes = notes(file, before);
        var action = own == null ? Action.ADD : Action.REPLACE;
        return new Change(file, action, new FileContents(before, after, null), entry, notes);
    }

    /** Plans the removal from a host's file. */
    public InstallPlan planUninstall(McpHost host, Scope scope) throws IOException {
        HostFile file = hostFile(host, scope);
        String before = read(file);
        if (before == null || before.isBlank()) {
            return new InstallPlan.NoChange(file);
        }
        var text = new HostFileText(file, before);
        if (!text.errors().isEmpty()) {
            return new InstallPlan.Refused(file, text.errors());
        }
        Json own = text.ownEntry();
        if (own == null || !text.hasPatchbay()) {
            return new InstallPlan.NoChange(file);
        }
        for (Backups.Backup backup : backups.listFor(file.path())) {
            String was = backup.content();
            var old = new HostFileText(file, was == null ? "" : was);
            if (old.ownEntry() == null && old.withEntry(own).equals(before)) {
                var action = was == null ? Action.DELETE : Action.RESTORE;
                var contents = new FileContents(before, was, backup.file());
                return new Change(file, action, contents, own, List.of());
            }
        }
        String after = text.withoutEntry();
        var changed = new HostFileText(file, after);
        if (!changed.errors().isEmpty() || changed.ownEntry() != null) {
            return refused(file, "The entry cannot be removed safely", "Remove it with an editor");
        }
        var note = "The file was changed after Patchbay was added; only the entry is removed";
        var contents = new FileContents(before, after, null);
        return new Change(file, Action.CUT, contents, own, List.of(note));
    }

    /**
     * Applies the plan, unless the file has changed in the meantime.
     *
     * @return the backup that was made or restored; null for none
     */
    public @Nullable Path apply(Change change) throws IOException {
        Path file = change.file().path();
        byte[] before = encodeUtf8(change.contents().before());
        byte[] after = encodeUtf8(change.contents().after());
        Path backup = change.contents().backup();
        switch (change.action()) {
            case ADD, REPLACE -> {
                return replaceWithBackup(
                        file, before, Objects.requireNonNull(after, "what is put in"));
            }
            case RESTORE, DELETE, CUT -> {
                if (after == null) {
                    Files.delete(AtomicFile.resolveLinks(file));
                } else {
                    AtomicFile.replace(file, before, after);
                }
            }
        }
        if (change.action() != Action.CUT && backup != null) {
            Files.deleteIfExists(backup);
        }
        return backup;
    }

    /** Replaces a file and returns its backup, which is deleted if the replacement fails. */
    private Path replaceWithBackup(Path file, byte @Nullable [] before, byte[] after)
            throws IOException {
        Path backup = backups.create(file, before);
        try {
            AtomicFile.replace(file, before, after);
        } catch (IOException e) {
            Files.deleteIfExists(backup);
            throw e;
        }
        return backup;
    }

    private HostFile hostFile(McpHost host, Scope scope) {
        return files.locate(host, scope)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        host.cliName() + " has no project configuration"));
    }

    static boolean hasOlderContinueFile(HostFile file) {
        return file.format() == HostFile.Format.CONTINUE
                && file.scope() == Scope.USER
                && Files.exists(file.path().resolveSibling("config.json"));
    }

    private static List<String> notes(HostFile file, @Nullable String before) {
        var notes = new ArrayList<String>();
        Path folder = file.path().getParent();
        if (before == null && folder != null && !Files.isDirectory(folder)) {
            notes.add(
                    "The host does not seem to be installed: "
                            + folder
                            + " does not exist and is created");
        }
        return notes;
    }

    static @Nullable String read(HostFile file) throws IOException {
        byte[] bytes = AtomicFile.readIfExists(file.path(), Importer.HOST_FILE_BYTES_MAX);
        try {
            return bytes == null ? null : AtomicFile.decodeUtf8(bytes);
        } catch (CharacterCodingException e) {
            throw new FileSystemException(
                    file.path().toString(), null, "not UTF-8; save it as UTF-8");
        }
    }

    private static byte @Nullable [] encodeUtf8(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static InstallPlan refused(HostFile file, String problem, String remedy) {
        var finding =
                new Finding(Kind.CONFLICT, TextPosition.START, file.serversKey(), problem, remedy);
        return new InstallPlan.Refused(file, List.of(finding));
    }
}
