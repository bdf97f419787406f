package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Finding;
import dev.patchbay.config.hosts.HostFile.Format;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.SyntaxNode;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Finds the lists of servers in the file of a host. */
final class ServerListReader {
    private static final Set<String> OPENCODE_TYPES = Set.of("local", "remote");

    /**
     * A list of servers in a file.
     *
     * @param file the file that the list is in
     * @param path the keys that lead to the list
     * @param format the syntax of its entries
     * @param folder the project that the list belongs to; null for none
     * @param takesPrecedence whether its entries replace entries of the same name in later lists
     */
    record ServerList(
            HostFile file,
            List<String> path,
            SyntaxNode.ObjectNode servers,
            Format format,
            @Nullable Path folder,
            boolean takesPrecedence) {
        ServerPlace place(String key) {
            return new ServerPlace(file, path, key);
        }
    }

    private final HostFile file;
    private final Path workingDirectory;
    private final List<ServerList> found = new ArrayList<>();

    private ServerListReader(HostFile file, Path workingDirectory) {
        this.file = file;
        this.workingDirectory = workingDirectory;
    }

    /** Reads the lists in a text; errors are added. */
    static List<ServerList> read(
            HostFile file, String text, Path workingDirectory, List<Finding> faults) {
        SyntaxNode.ObjectNode root = HostFileText.parse(file, text, faults);
        if (root == null) {
            return List.of();
        }
        var reader = new ServerListReader(file, workingDirectory);
        switch (file.format()) {
            case CODEX, ZED, OPENCODE, AMP, GOOSE ->
                    reader.add(root, file.format(), file.serversKey());
            case CONTINUE -> reader.addYaml(root);
            case PLAIN,
                    SHELL,
                    GEMINI,
                    COPILOT,
                    EDITOR,
                    CLINE,
                    VSCODE,
                    VSCODE_SETTINGS,
                    CLAUDE_STATE -> {
                reader.requireObject(root, text, faults);
                reader.addJson(root);
            }
        }
        return reader.found;
    }

    private void requireObject(SyntaxNode.ObjectNode root, String text, List<Finding> faults) {
        SyntaxNode odd = root.value("mcpServers");
        if (odd != null && !(odd instanceof SyntaxNode.ObjectNode)) {
            var place = new FindingCollector(text).positionAt(odd.from());
            faults.add(
                    new Finding(
                            Finding.Kind.WRONG_TYPE,
                            place,
                            "mcpServers",
                            "Must be an object",
                            "Write {…}"));
        }
    }

    private void addYaml(SyntaxNode.ObjectNode root) {
        add(root, Format.GOOSE, "extensions");
        if (root.value("mcpServers") instanceof SyntaxNode.ArrayNode list) {
            addList(List.of("mcpServers"), YamlTextEditor.byName(list), Format.CONTINUE, folder());
        } else {
            add(root, Format.SHELL, "mcpServers");
        }
    }

    private void addJson(SyntaxNode.ObjectNode root) {
        SyntaxNode.ObjectNode servers = root.object("mcpServers");
        if (servers != null) {
            addList(List.of("mcpServers"), withSwitches(root, servers), file.format(), folder());
        }
        add(root, Format.VSCODE, "servers");
        add(root, Format.VSCODE_SETTINGS, "mcp", "servers");
        SyntaxNode.ObjectNode projects = root.object("projects");
        if (projects != null) {
            addProjects(projects);
        }
        // The settings of an editor may hold the servers of its extensions, which are not its own.
        if (file.format() != Format.VSCODE && file.format() != Format.VSCODE_SETTINGS) {
            add(root, Format.ZED, "context_servers");
            add(root, Format.AMP, "amp.mcpServers");
            SyntaxNode.ObjectNode mcp = root.object("mcp");
            if (mcp != null && isOpenCode(mcp)) {
                add(root, Format.OPENCODE, "mcp");
            }
        }
    }

    private static boolean isOpenCode(SyntaxNode.ObjectNode mcp) {
        return mcp.members().stream()
                .anyMatch(
                        it ->
                                it.value() instanceof SyntaxNode.ObjectNode entry
                                        && entry.value("type") instanceof SyntaxNode.StringNode type
                                        && OPENCODE_TYPES.contains(type.value()));
    }

    private void addProjects(SyntaxNode.ObjectNode projects) {
        for (SyntaxNode.Member member : projects.members()) {
            String name = member.name().value();
            Path folder = Environment.parsePath(name);
            SyntaxNode.ObjectNode servers =
                    member.value() instanceof SyntaxNode.ObjectNode project
                            ? project.object("mcpServers")
                            : null;
            if (folder != null && servers != null) {
                List<String> path = List.of("projects", name, "mcpServers");
                addList(path, servers, Format.CLAUDE_STATE, folder);
            }
        }
    }

    /** Gemini CLI switches servers off in a list of their names. */
    private SyntaxNode.ObjectNode withSwitches(
            SyntaxNode.ObjectNode root, SyntaxNode.ObjectNode servers) {
        SyntaxNode.ObjectNode switches = root.object("mcp");
        if (file.format() != Format.GEMINI || switches == null) {
            return servers;
        }
        Set<String> excluded = names(switches.value("excluded"));
        Set<String> allowed = names(switches.value("allowed"));
        var members = new ArrayList<SyntaxNode.Member>();
        for (SyntaxNode.Member member : servers.members()) {
            String name = member.name().value();
            boolean off =
                    excluded.contains(name) || (!allowed.isEmpty() && !allowed.contains(name));
            members.add(off ? switchedOff(member) : member);
        }
        return new SyntaxNode.ObjectNode(servers.from(), servers.to(), members);
    }

    private static SyntaxNode.Member switchedOff(SyntaxNode.Member member) {
        if (!(member.value() instanceof SyntaxNode.ObjectNode entry)) {
            return member;
        }
        var members = new ArrayList<>(entry.members());
        var off = new SyntaxNode.BooleanNode(-1, -1, true);
        members.add(new SyntaxNode.Member(new SyntaxNode.StringNode(-1, -1, "disabled"), off, -1));
        return new SyntaxNode.Member(
                member.name(),
                new SyntaxNode.ObjectNode(entry.from(), entry.to(), members),
                member.commaOffset());
    }

    private static Set<String> names(@Nullable SyntaxNode list) {
        var names = new HashSet<String>();
        if (list instanceof SyntaxNode.ArrayNode array) {
            for (SyntaxNode element : array.elements()) {
                if (element instanceof SyntaxNode.StringNode name) {
                    names.add(name.value());
                }
            }
        }
        return names;
    }

    private void add(SyntaxNode.ObjectNode root, Format format, String... path) {
        SyntaxNode.ObjectNode table = root;
        for (String key : path) {
            table = table == null ? null : table.object(key);
        }
        if (table != null) {
            addList(List.of(path), table, format, folder());
        }
    }

    private void addList(
            List<String> path,
            SyntaxNode.ObjectNode servers,
            Format format,
            @Nullable Path folder) {
        boolean ranked = folder == null || folder.equals(workingDirectory);
        found.add(new ServerList(file, path, servers, format, folder, ranked));
    }

    /** The project that the whole file belongs to. */
    private @Nullable Path folder() {
        return file.scope() == Scope.PROJECT ? workingDirectory : null;
    }
}
