package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.hosts.HostFile.Scope;
import dev.patchbay.config.hosts.ImportPlan.Outcome;
import dev.patchbay.config.hosts.ImportPlan.Row;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** Finds the hosts on this machine. */
public final class HostFinder {
    /** The names of a host's own servers, and of those that are in the configuration, too. */
    public record ServerNames(List<String> all, List<String> copies) {
        public ServerNames {
            all = List.copyOf(all);
            copies = List.copyOf(copies);
        }
    }

    /**
     * A host that is on this machine.
     *
     * @param file the user's file, which may not exist yet
     * @param hasPatchbay whether Patchbay is installed in the host
     * @param readable whether all of its files can be read
     */
    public record FoundHost(
            McpHost host, Path file, ServerNames names, boolean hasPatchbay, boolean readable) {
        public List<String> servers() {
            return names.all();
        }

        public List<String> copies() {
            return names.copies();
        }
    }

    private final Environment environment;
    private final HostFileLocator files;

    public HostFinder(Environment environment) {
        this.environment = environment;
        files = new HostFileLocator(environment);
    }

    /** The hosts with a file of their own, or at least the folder for it. */
    public List<McpHost> find() {
        var found = new ArrayList<McpHost>();
        for (McpHost host : McpHost.values()) {
            if (userFiles(host).stream().anyMatch(this::isOfInstalledHost)) {
                found.add(host);
            }
        }
        return found;
    }

    private List<Path> userFiles(McpHost host) {
        return files.locate(host).stream()
                .filter(file -> file.scope() == Scope.USER)
                .map(HostFile::path)
                .toList();
    }

    private boolean isOfInstalledHost(Path file) {
        Path folder = file.getParent();
        return Files.exists(file)
                || (folder != null
                        && !folder.equals(environment.home())
                        && Files.isDirectory(folder));
    }

    /** The hosts on this machine, and what they have, compared with a configuration. */
    public List<FoundHost> examine(Path config) throws IOException {
        var found = new ArrayList<FoundHost>();
        for (McpHost host : find()) {
            found.add(examine(host, config));
        }
        return found;
    }

    public FoundHost examine(McpHost host, Path config) throws IOException {
        ImportPlan plan = new Importer(environment).plan(host, EnumSet.of(Scope.USER), config);
        return new FoundHost(
                host,
                files.locate(host, Scope.USER).orElseThrow().path(),
                new ServerNames(
                        names(plan, EnumSet.of(Outcome.ADD, Outcome.SAME)),
                        names(plan, EnumSet.of(Outcome.SAME))),
                plan.rows().stream().anyMatch(row -> row.outcome() == Outcome.SELF),
                plan.sources().stream().allMatch(source -> source.errors().isEmpty()));
    }

    /** The servers of a host that are in the configuration, too; none if they cannot be read. */
    public List<String> findCopies(McpHost host, Path config) {
        try {
            return examine(host, config).copies();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static List<String> names(ImportPlan plan, EnumSet<Outcome> outcomes) {
        return plan.rows().stream()
                .filter(row -> outcomes.contains(row.outcome()))
                .map(Row::key)
                .distinct()
                .toList();
    }
}
