package dev.patchbay.config.hosts;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.Environment;
import dev.patchbay.config.Finding;
import dev.patchbay.config.TextPosition;
import dev.patchbay.config.edit.ConfigEditor;
import dev.patchbay.config.edit.EditResult;
import dev.patchbay.config.edit.EditableConfig;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.ImportPlan.Source;
import dev.patchbay.config.hosts.ServerListReader.ServerList;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.syntax.SyntaxNode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Imports the servers of other programs into the configuration file. Their files are only read.
 * Existing entries are never changed: if a name is taken, the new entry gets a number.
 */
public final class Importer {
    /** The state files of some hosts grow with use. */
    static final int HOST_FILE_BYTES_MAX = 32 << 20;

    private final Environment environment;
    private final @Nullable Path template;

    public Importer(Environment environment) {
        this(environment, null);
    }

    /**
     * Creates an importer.
     *
     * @param base the file that a new target is copied from; null for none
     */
    public Importer(Environment environment, @Nullable Path base) {
        this.environment = environment;
        this.template = base;
    }

    /**
     * Plans an import of the servers that the user has configured in a host.
     *
     * @param scopes which files of the host to read: the user's own, those of the project, or both
     */
    public ImportPlan plan(McpHost host, Set<Scope> scopes, Path target) throws IOException {
        return plan(List.of(host), scopes, target);
    }

    /** Plans an import of the servers of several hosts. */
    public ImportPlan plan(List<McpHost> hosts, Set<Scope> scopes, Path target) throws IOException {
        var locator = new HostFileLocator(environment);
        var groups = new ArrayList<List<HostFile>>();
        for (McpHost host : hosts) {
            groups.add(
                    locator.locate(host).stream()
                            .filter(file -> scopes.contains(file.scope()))
                            .toList());
        }
        return planGroups(groups, target);
    }

    /** Plans an import from any file. */
    public ImportPlan plan(Path source, Path target) throws IOException {
        Path file = environment.workingDirectory().resolve(source);
        return planGroups(List.of(List.of(HostFileLocator.forPath(file))), target);
    }

    /** Applies the plan. */
    public EditResult apply(ImportPlan plan) throws IOException {
        return new ConfigEditor(plan.target(), template).add(plan.entries());
    }

    /** Plans the files of hosts, one group for each host. */
    private ImportPlan planGroups(List<List<HostFile>> groups, Path target) throws IOException {
        Path start = template == null ? target : template;
        var planner = new ImportPlanner(environment, existingServers(start));
        var sources = new ArrayList<Source>();
        var rows = new ArrayList<ImportPlan.Row>();
        for (List<HostFile> files : groups) {
            rows.addAll(planner.planRows(readServerLists(files, start, sources)));
        }
        return new ImportPlan(target, sources, rows);
    }

    /** The lists of a host in order of precedence. */
    private List<ServerList> readServerLists(List<HostFile> files, Path start, List<Source> sources)
            throws IOException {
        var first = new ArrayList<ServerList>();
        var rest = new ArrayList<ServerList>();
        var seen = new HashSet<Path>();
        for (HostFile file : files) {
            if (!seen.add(resolveLinks(file.path()))) {
                continue; // in the home folder, the project's file is the user's file
            }
            var faults = new ArrayList<Finding>();
            byte[] bytes = readBytes(file.path(), faults);
            if (bytes != null && !isSameFile(file.path(), start)) {
                for (ServerList section : readServerLists(file, bytes, faults)) {
                    boolean here = environment.workingDirectory().equals(section.folder());
                    boolean local = file.format() == Format.CLAUDE_STATE && here;
                    (local ? first : rest).add(section);
                }
            }
            boolean exists = bytes != null || !faults.isEmpty();
            sources.add(new Source(file.path(), exists, faults));
        }
        first.addAll(rest);
        return first;
    }

    /** Resolves links; returns the path itself if a link is dangling. */
    private static Path resolveLinks(Path file) {
        try {
            return AtomicFile.resolveLinks(file);
        } catch (IOException _) {
            return file;
        }
    }

    /** Reads a file. If it is not readable, the other files are still read. */
    private static byte @Nullable [] readBytes(Path file, List<Finding> faults) {
        try {
            return AtomicFile.readIfExists(file, HOST_FILE_BYTES_MAX);
        } catch (IOException e) {
            faults.add(unreadable("The file cannot be read", "Check that it is the right file"));
            return null;
        }
    }

    private List<ServerList> readServerLists(HostFile file, byte[] bytes, List<Finding> faults) {
        String text = decodeUtf8(bytes, faults);
        return text == null || text.isBlank()
                ? List.of()
                : ServerListReader.read(file, text, environment.workingDirectory(), faults);
    }

    /** The servers in the target; empty if it cannot be read, which the edit reports. */
    private static List<SyntaxNode.Member> existingServers(Path start) throws IOException {
        byte[] bytes = AtomicFile.readIfExists(start, ConfigReader.FILE_BYTES_MAX);
        String text = bytes == null ? null : decodeUtf8(bytes, new ArrayList<>());
        return text == null
                ? List.of()
                : new EditableConfig(text, ConfigEditor.SERVER_LIST_KEYS).members();
    }

    private static @Nullable String decodeUtf8(byte[] bytes, List<Finding> faults) {
        try {
            return AtomicFile.decodeUtf8(bytes);
        } catch (IOException e) {
            faults.add(unreadable("The file is not UTF-8", "Save it as UTF-8"));
            return null;
        }
    }

    private static Finding unreadable(String problem, String remedy) {
        return new Finding(Finding.Kind.UNREADABLE, TextPosition.START, "", problem, remedy);
    }

    private static boolean isSameFile(Path one, Path other) throws IOException {
        return AtomicFile.resolveLinks(one).equals(AtomicFile.resolveLinks(other));
    }
}
