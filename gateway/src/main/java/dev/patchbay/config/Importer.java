package dev.patchbay.config;

import dev.patchbay.config.HostFile.Format;
import dev.patchbay.config.HostFile.Scope;
import dev.patchbay.config.ImportPlan.Source;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * Brings the servers of other programs into the configuration file. Their files are only read. An
 * entry of the file is never changed: where a name is taken, the new entry gets a number.
 */
public final class Importer {
    /** The state of some hosts grows with their use. */
    static final int HOST_FILE_BYTES_MAX = 32 << 20;

    /**
     * A list of servers in a file.
     *
     * @param folder the project that it belongs to; null for none
     * @param ranked whether its entries hide those of the same name in later lists
     */
    record Section(
            String origin,
            Node.Table servers,
            Format format,
            @Nullable Path folder,
            boolean ranked) {}

    private final Surroundings surroundings;
    private final @Nullable Path base;

    public Importer(Surroundings surroundings) {
        this(surroundings, null);
    }

    /** With a list that a new target begins as a copy of; null for none. */
    public Importer(Surroundings surroundings, @Nullable Path base) {
        this.surroundings = surroundings;
        this.base = base;
    }

    /** What an import from a host into the target would do. */
    public ImportPlan plan(Host host, Path target) throws IOException {
        return plan(new HostFiles(surroundings).of(host), target);
    }

    /** What an import from a file would do, whichever program it belongs to. */
    public ImportPlan plan(Path source, Path target) throws IOException {
        Path file = surroundings.workingDirectory().resolve(source);
        return plan(List.of(HostFiles.any(file)), target);
    }

    /** Does what was planned. */
    public EditResult apply(ImportPlan plan) throws IOException {
        return new ConfigEditor(plan.target(), base).add(plan.entries());
    }

    private ImportPlan plan(List<HostFile> files, Path target) throws IOException {
        Path start = base == null ? target : base;
        var sources = new ArrayList<Source>();
        var first = new ArrayList<Section>();
        var rest = new ArrayList<Section>();
        var seen = new HashSet<Path>();
        for (HostFile file : files) {
            if (!seen.add(place(file.path()))) {
                continue; // in the home folder, a project's file is the user's
            }
            var faults = new ArrayList<Finding>();
            byte[] bytes = bytes(file.path(), faults);
            if (bytes != null && !isSame(file.path(), start)) {
                for (Section section : sections(file, bytes, faults)) {
                    boolean here = surroundings.workingDirectory().equals(section.folder());
                    boolean local = file.format() == Format.CLAUDE_STATE && here;
                    (local ? first : rest).add(section);
                }
            }
            boolean exists = bytes != null || !faults.isEmpty();
            sources.add(new Source(file.path(), exists, faults));
        }
        first.addAll(rest);
        var rows = new ImportRows(surroundings, existing(start)).of(first);
        return new ImportPlan(target, sources, rows);
    }

    /** Where a file is; as it is called if its links lead nowhere. */
    private static Path place(Path file) {
        try {
            return AtomicFile.target(file);
        } catch (IOException _) {
            return file;
        }
    }

    /** One file that may not be read does not keep the others from being read. */
    private static byte @Nullable [] bytes(Path file, List<Finding> faults) {
        try {
            return AtomicFile.read(file, HOST_FILE_BYTES_MAX);
        } catch (IOException e) {
            faults.add(unreadable("The file cannot be read", "See whether it is the right one"));
            return null;
        }
    }

    private List<Section> sections(HostFile file, byte[] bytes, List<Finding> faults) {
        String text = decoded(bytes, faults);
        if (text == null || text.isBlank()) {
            return List.of();
        }
        Node.Table root = HostText.read(file, text, faults);
        if (root == null) {
            return List.of();
        }
        var found = new ArrayList<Section>();
        String origin = file.path().toString();
        Path folder = file.scope() == Scope.PROJECT ? surroundings.workingDirectory() : null;
        if (file.format() == Format.CODEX) {
            add(found, origin, root.table("mcp_servers"), Format.CODEX, folder);
            return found;
        }
        Node odd = root.value("mcpServers");
        if (odd != null && !(odd instanceof Node.Table)) {
            var place = new Findings(text).place(odd.from());
            faults.add(
                    new Finding(
                            Finding.Kind.WRONG_TYPE,
                            place,
                            "mcpServers",
                            "It should be an object",
                            "Write {…}"));
        }
        add(found, origin, root.table("mcpServers"), file.format(), folder);
        add(found, origin, root.table("servers"), Format.VSCODE, folder);
        Node.Table settings = root.table("mcp");
        if (settings != null) {
            add(found, origin, settings.table("servers"), Format.VSCODE_SETTINGS, folder);
        }
        Node.Table projects = root.table("projects");
        if (projects != null) {
            addProjects(found, origin, projects);
        }
        return found;
    }

    private void addProjects(List<Section> found, String origin, Node.Table projects) {
        for (Node.Member member : projects.members()) {
            String name = member.name().value();
            Path folder = Surroundings.pathOf(name);
            if (folder != null && member.value() instanceof Node.Table project) {
                String where = origin + ", project " + Quoted.plain(name);
                add(found, where, project.table("mcpServers"), Format.CLAUDE_STATE, folder);
            }
        }
    }

    private void add(
            List<Section> found,
            String origin,
            Node.@Nullable Table servers,
            Format format,
            @Nullable Path folder) {
        if (servers != null) {
            boolean ranked = folder == null || folder.equals(surroundings.workingDirectory());
            found.add(new Section(origin, servers, format, folder, ranked));
        }
    }

    /**
     * The servers that the target begins with; none if it cannot be read, which the edit will say.
     */
    private static List<Node.Member> existing(Path start) throws IOException {
        byte[] bytes = AtomicFile.read(start, ConfigReader.FILE_BYTES_MAX);
        String text = bytes == null ? null : decoded(bytes, new ArrayList<>());
        return text == null ? List.of() : new Draft(text, ConfigEditor.KEYS).members();
    }

    private static @Nullable String decoded(byte[] bytes, List<Finding> faults) {
        try {
            return AtomicFile.text(bytes);
        } catch (IOException e) {
            faults.add(unreadable("The file is not UTF-8", "Save it as UTF-8"));
            return null;
        }
    }

    private static Finding unreadable(String problem, String remedy) {
        return new Finding(Finding.Kind.UNREADABLE, Place.START, "", problem, remedy);
    }

    private static boolean isSame(Path one, Path other) throws IOException {
        return AtomicFile.target(one).equals(AtomicFile.target(other));
    }
}
