package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.HostFile.Scope;
import dev.patchbay.config.HostPlan.Action;
import dev.patchbay.config.HostPlan.Change;
import dev.patchbay.config.HostPlan.Contents;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

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
import java.util.Locale;
import java.util.Objects;

/**
 * Puts Patchbay into the list of servers of a host, and takes it out again. The other servers of
 * the host are not touched. A copy of the file as it was is kept beside it; taking Patchbay out
 * brings that copy back if nothing else has changed since.
 */
public final class Installer {
    /** What a host is to start: the launcher, and the configuration file to give to it. */
    public record Program(Path launcher, @Nullable Path config) {}

    private final HostFiles files;
    private final Backups backups;

    public Installer(Surroundings surroundings, InstantSource clock) {
        files = new HostFiles(surroundings);
        backups = new Backups(clock);
    }

    /** What putting Patchbay into a host's file would do. */
    public HostPlan planInstall(Host host, Scope scope, Program program) throws IOException {
        HostFile file = file(host, scope);
        String before = read(file);
        var text = new HostText(file, before == null ? "" : before);
        if (before != null && !before.isBlank() && !text.faults().isEmpty()) {
            return new HostPlan.Refused(file, text.faults());
        }
        Json entry = entry(host, program);
        Json own = text.own();
        if (entry.equals(own)) {
            return new HostPlan.Nothing(file);
        }
        if (own != null && !isSelf(own)) {
            return refused(file, "Another server is called patchbay there", "Rename it first");
        }
        String after = text.with(entry);
        var changed = new HostText(file, after);
        if (!changed.faults().isEmpty() || !entry.equals(changed.own())) {
            return refused(
                    file, "There is no place for an entry", "Write the entry with an editor");
        }
        var notes = notes(file, before);
        var action = own == null ? Action.ADD : Action.REPLACE;
        return new Change(file, action, new Contents(before, after, null), entry, notes);
    }

    /** What taking Patchbay out of a host's file would do. */
    public HostPlan planUninstall(Host host, Scope scope) throws IOException {
        HostFile file = file(host, scope);
        String before = read(file);
        if (before == null || before.isBlank()) {
            return new HostPlan.Nothing(file);
        }
        var text = new HostText(file, before);
        if (!text.faults().isEmpty()) {
            return new HostPlan.Refused(file, text.faults());
        }
        Json own = text.own();
        if (own == null || !isSelf(own)) {
            return new HostPlan.Nothing(file);
        }
        for (Backups.Backup backup : backups.of(file.path())) {
            String was = backup.content();
            var old = new HostText(file, was == null ? "" : was);
            if (old.own() == null && old.with(own).equals(before)) {
                var action = was == null ? Action.DELETE : Action.RESTORE;
                var contents = new Contents(before, was, backup.file());
                return new Change(file, action, contents, own, List.of());
            }
        }
        String after = text.without();
        var changed = new HostText(file, after);
        if (!changed.faults().isEmpty() || changed.own() != null) {
            return refused(
                    file, "The entry cannot be taken out safely", "Take it out with an editor");
        }
        var note = "The file was changed since Patchbay was put in; only its entry is taken out";
        var contents = new Contents(before, after, null);
        return new Change(file, Action.CUT, contents, own, List.of(note));
    }

    /**
     * Does what was planned, unless the file has changed since.
     *
     * @return the copy that was made of the file, or the one that was used up; null for none
     */
    public @Nullable Path apply(Change change) throws IOException {
        Path file = change.file().path();
        byte[] before = bytes(change.contents().before());
        byte[] after = bytes(change.contents().after());
        Path backup = change.contents().backup();
        switch (change.action()) {
            case ADD, REPLACE -> {
                return replace(file, before, Objects.requireNonNull(after, "what is put in"));
            }
            case RESTORE, DELETE, CUT -> {
                if (after == null) {
                    Files.delete(AtomicFile.target(file));
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

    /** Replaces a file; the copy that was made of it, which stays only where that worked. */
    private Path replace(Path file, byte @Nullable [] before, byte[] after) throws IOException {
        Path backup = backups.make(file, before);
        try {
            AtomicFile.replace(file, before, after);
        } catch (IOException e) {
            Files.deleteIfExists(backup);
            throw e;
        }
        return backup;
    }

    private HostFile file(Host host, Scope scope) {
        return files.of(host, scope)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        host.word() + " keeps no list of servers in a project"));
    }

    private static List<String> notes(HostFile file, @Nullable String before) {
        var notes = new ArrayList<String>();
        Path folder = file.path().getParent();
        if (before == null && folder != null && !Files.isDirectory(folder)) {
            notes.add("The folder " + folder + " does not exist: is the program installed?");
        }
        return notes;
    }

    static Json entry(Host host, Program program) {
        var line = new ArrayList<String>();
        String launcher = program.launcher().toString();
        String name = launcher.toLowerCase(Locale.ROOT);
        if (name.endsWith(".cmd") || name.endsWith(".bat")) {
            // Windows starts a script only through its command interpreter.
            line.addAll(List.of("cmd", "/c"));
        }
        line.addAll(List.of(launcher, "stdio"));
        if (program.config() != null) {
            line.addAll(List.of("--config", program.config().toString()));
        }
        var json = new JsonWriter().beginObject();
        if (host.wantsType()) {
            json.member("type", "stdio");
        }
        json.member("command", line.removeFirst()).name("args").beginArray();
        line.forEach(json::string);
        json.endArray();
        if (host.rejectsDots()) {
            json.name("env").beginObject().member(ConfigReader.NAMES_VARIABLE, "safe").endObject();
        }
        return json.endObject().toJson();
    }

    static boolean isSelf(Json entry) {
        String text = entry.toString();
        return Jsonc.read(text, new Findings(text)) instanceof Node.Table table
                && Self.isStartedBy(table);
    }

    private static @Nullable String read(HostFile file) throws IOException {
        byte[] bytes = AtomicFile.read(file.path(), Importer.HOST_FILE_BYTES_MAX);
        try {
            return bytes == null ? null : AtomicFile.text(bytes);
        } catch (CharacterCodingException e) {
            throw new FileSystemException(
                    file.path().toString(), null, "It is not UTF-8: save it as UTF-8");
        }
    }

    private static byte @Nullable [] bytes(@Nullable String text) {
        return text == null ? null : text.getBytes(StandardCharsets.UTF_8);
    }

    private static HostPlan refused(HostFile file, String problem, String remedy) {
        var finding = new Finding(Kind.CONFLICT, Place.START, file.key(), problem, remedy);
        return new HostPlan.Refused(file, List.of(finding));
    }
}
