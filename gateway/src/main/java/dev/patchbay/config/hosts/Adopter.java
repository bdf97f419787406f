package dev.patchbay.config.hosts;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.Environment;
import dev.patchbay.config.edit.ConfigEditor;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.hosts.AdoptionJournal.ChangedFile;
import dev.patchbay.config.hosts.AdoptionPlan.FileChange;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Carries out adoptions and undoes them. */
public final class Adopter {
    /** What the undo did to a file. */
    public enum Undone {
        /** The file has the content from before the adoption, byte for byte. */
        RESTORED,
        /** The adoption had created the file; it is deleted. */
        DELETED,
        /** The file was changed since: its own servers are back, and the other changes are kept. */
        MERGED
    }

    /**
     * A file that was put back.
     *
     * @param host null for the configuration of Patchbay
     * @param backup the backup that is kept, because the file was changed since; null for none
     */
    public record UndoneFile(
            @Nullable McpHost host, Path file, Undone how, @Nullable Path backup) {}

    private final HostFileLocator files;
    private final AdoptionJournal journal;
    private final Backups backups;

    public Adopter(Environment environment, AdoptionJournal journal, InstantSource clock) {
        files = new HostFileLocator(environment);
        this.journal = journal;
        backups = new Backups(clock);
    }

    /** Adds the servers to the configuration, and records the change. */
    public EditResult addServers(ImportPlan plan) throws IOException {
        Path config = plan.target();
        byte[] before = read(config);
        EditResult result = new ConfigEditor(config).add(plan.entries());
        if (result instanceof EditResult.Changed) {
            byte[] after = Objects.requireNonNull(read(config), "was just written");
            Path backup = before == null ? null : backups.createForAdoption(config, before);
            List<List<String>> added =
                    plan.entries().stream().map(ConfigEntry::key).map(List::of).toList();
            journal.add(new ChangedFile(null, config, backup, AdoptionJournal.hash(after), added));
        }
        return result;
    }

    /**
     * Changes the file of a host, unless it has changed since the plan.
     *
     * @return the backup; null if there was no file
     */
    public @Nullable Path apply(FileChange change) throws IOException {
        Path file = change.file().path();
        String text = change.texts().before();
        byte[] before = text == null ? null : bytes(text);
        byte[] after = bytes(change.texts().after());
        Path backup = before == null ? null : backups.createForAdoption(file, before);
        var taken = new ArrayList<List<String>>();
        for (ServerPlace place : change.taken()) {
            var path = new ArrayList<>(place.path());
            path.add(place.key());
            taken.add(path);
        }
        var record =
                new ChangedFile(change.host(), file, backup, AdoptionJournal.hash(after), taken);
        journal.add(record);
        try {
            AtomicFile.replace(file, before, after);
        } catch (IOException e) {
            journal.remove(record);
            if (backup != null) {
                Files.deleteIfExists(backup);
            }
            throw e;
        }
        return backup;
    }

    /**
     * Undoes the adoption of hosts, the newest change first. With the last host, the servers that
     * adoptions added to the configuration are removed, too.
     */
    public List<UndoneFile> undo(Set<McpHost> hosts) throws IOException {
        var undone = new ArrayList<UndoneFile>();
        for (ChangedFile change : journal.changes().reversed()) {
            McpHost host = change.host();
            if (host != null && hosts.contains(host)) {
                undone.add(undo(change));
            }
        }
        List<ChangedFile> rest = journal.changes();
        if (rest.stream().allMatch(it -> it.host() == null)) {
            for (ChangedFile change : rest.reversed()) {
                undone.add(undo(change));
            }
        }
        return undone;
    }

    private UndoneFile undo(ChangedFile change) throws IOException {
        Path file = change.file();
        byte[] now = read(file);
        Path backup = change.backup();
        byte[] was = backup == null ? null : read(backup);
        boolean lost = backup != null && was == null;
        boolean untouched = now != null && AdoptionJournal.hash(now).equals(change.hash()) && !lost;
        boolean undoneAlready = !lost && Arrays.equals(now, was);
        UndoneFile result;
        if (untouched || undoneAlready) {
            result = restore(change, now, was);
        } else {
            byte[] merged = change.host() == null ? null : merge(change, now, was);
            if (merged != null) {
                AtomicFile.replace(file, now, merged);
            } else if (change.host() == null && now != null) {
                removeServers(change);
            }
            Path kept = was == null ? null : backup;
            result = new UndoneFile(change.host(), file, Undone.MERGED, kept);
        }
        journal.remove(change);
        return result;
    }

    private static UndoneFile restore(
            ChangedFile change, byte @Nullable [] now, byte @Nullable [] was) throws IOException {
        Path file = change.file();
        if (was == null) {
            Files.deleteIfExists(AtomicFile.resolveLinks(file));
        } else if (!Arrays.equals(now, was)) {
            AtomicFile.replace(file, now, was);
        }
        if (change.backup() != null) {
            Files.deleteIfExists(change.backup());
        }
        Undone how = was == null ? Undone.DELETED : Undone.RESTORED;
        return new UndoneFile(change.host(), file, how, null);
    }

    /** Removes the servers that the adoption added, if they are still there. */
    private static void removeServers(ChangedFile change) throws IOException {
        var editor = new ConfigEditor(change.file());
        for (List<String> server : change.taken()) {
            EditResult _ = editor.remove(server.getLast());
        }
    }

    /** The file as it is, with its own servers and without Patchbay; null if not possible. */
    private byte @Nullable [] merge(
            ChangedFile change, byte @Nullable [] now, byte @Nullable [] was) throws IOException {
        HostFile file = hostFile(change);
        if (now == null || file == null) {
            return null;
        }
        String text = AtomicFile.decodeUtf8(now);
        var current = new HostFileText(file, text);
        if (!current.errors().isEmpty()) {
            return null;
        }
        if (current.hasPatchbay()) {
            text = current.withoutEntry();
        }
        var old = new HostFileText(file, was == null ? "" : AtomicFile.decodeUtf8(was));
        for (List<String> path : change.taken()) {
            var place = new ServerPlace(file, path.subList(0, path.size() - 1), path.getLast());
            SyntaxNode.ObjectNode entry = old.server(place);
            var content = new HostFileText(file, text);
            boolean direct = place.path().equals(List.of(file.serversKey()));
            if (entry != null && direct && !content.hasServer(place)) {
                text = content.withServer(place.key(), SyntaxNodeJson.toJson(entry));
            }
        }
        return bytes(text);
    }

    private @Nullable HostFile hostFile(ChangedFile change) {
        McpHost host = Objects.requireNonNull(change.host(), "a host's file");
        return files.locate(host).stream()
                .filter(it -> it.path().equals(change.file()))
                .findFirst()
                .orElse(null);
    }

    private static byte @Nullable [] read(Path file) throws IOException {
        return AtomicFile.readIfExists(file, Importer.HOST_FILE_BYTES_MAX);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
