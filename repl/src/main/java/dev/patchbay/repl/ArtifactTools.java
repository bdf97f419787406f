package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.ReplTool.Effect;
import dev.patchbay.repl.maven.CentralSearch;
import dev.patchbay.repl.maven.DependencyTree;
import dev.patchbay.repl.maven.LocalRepository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** The tools about libraries: what one brings, which has a class, and which there are. */
final class ArtifactTools {
    private static final int NAME_CHARS_MAX = 1_000;
    private static final int FOUND_DEFAULT = 20;
    private static final int FOUND_MAX = 200;
    private static final int CLASSES_MAX = 20;

    private static final Json TREE_SCHEMA =
            Json.of(
                    """
                    {"type":"object","properties":{"coordinate":{"type":"string"},
                    "jars":{"type":"integer"},"totalBytes":{"type":"integer"},
                    "artifacts":{"type":"array","description":"callees follow what needs them",
                     "items":{"type":"object","properties":{"depth":{"type":"integer"},
                     "coordinate":{"type":"string"},"scope":{"type":"string"},
                     "bytes":{"type":"integer"},"omitted":{"type":"string",
                     "description":"why this one is not used"}},
                     "required":["depth","coordinate"]}},
                    "conflicts":{"type":"array","items":{"type":"string"}}},
                    "required":["coordinate","jars","totalBytes","artifacts","conflicts"]}
                    """);

    private final ReplSession session;
    private final MavenResolver maven;
    private final LocalRepository repository;
    private final CentralSearch central;

    ArtifactTools(ReplSession session, ReplEnvironment environment) {
        this.session = session;
        this.maven = environment.maven();
        this.repository = environment.repository();
        this.central = environment.central();
    }

    List<ReplTool> all() {
        return List.of(dependencies(), findJar(), searchArtifacts());
    }

    private ReplTool dependencies() {
        return new ReplTool(
                "dependencies",
                "Show what a library brings",
                """
                Shows what a Maven coordinate such as org.assertj:assertj-core:3.27.7 brings with \
                it: the tree, the size of each jar, and version conflicts. The class path is not \
                changed.\
                """,
                Effect.DOWNLOADS,
                List.of(
                        ToolParameter.text(
                                "coordinate", NAME_CHARS_MAX, "group:artifact or with :version.")),
                TREE_SCHEMA,
                (arguments, progress) -> dependencies(arguments.text("coordinate").strip()));
    }

    private ReplToolResult dependencies(String coordinate)
            throws ReplException, InterruptedException {
        if (!MavenResolver.isCoordinate(coordinate)) {
            throw new ReplException(coordinate + " is no coordinate: write group:artifact:version");
        }
        MavenResolver.ResolvedTree tree = maven.tree(coordinate);
        var sizes = new HashMap<String, Long>();
        for (Path file : tree.files()) {
            sizes.put(String.valueOf(file.getFileName()), size(file));
        }
        long total = sizes.values().stream().mapToLong(it -> it).sum();
        var lines = new ArrayList<String>();
        lines.add("%s: %d jars, %,d bytes".formatted(coordinate, tree.files().size(), total));
        JsonWriter structured = new JsonWriter().beginObject().member("coordinate", coordinate);
        structured.member("jars", tree.files().size()).member("totalBytes", total);
        structured.name("artifacts").beginArray();
        var conflicts = new ArrayList<String>();
        for (DependencyTree.Node node : tree.nodes()) {
            Long bytes = node.omitted().isEmpty() ? sizes.get(node.fileName()) : null;
            write(node, bytes, structured);
            lines.add(line(node, bytes));
            if (node.isConflict()) {
                conflicts.add(node.coordinate() + " " + node.omitted());
            }
        }
        InspectTools.writeStrings("conflicts", conflicts, structured.endArray());
        lines.add(
                conflicts.isEmpty()
                        ? "No version conflicts."
                        : "Conflicts:\n  " + String.join("\n  ", conflicts));
        return ReplToolResult.of(String.join("\n", lines), structured);
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0;
        }
    }

    private static void write(
            DependencyTree.Node node,
            @org.jspecify.annotations.Nullable Long bytes,
            JsonWriter target) {
        target.beginObject().member("depth", node.depth());
        target.member("coordinate", node.coordinate()).member("scope", node.scope());
        if (bytes != null) {
            target.member("bytes", bytes);
        }
        if (!node.omitted().isEmpty()) {
            target.member("omitted", node.omitted());
        }
        target.endObject();
    }

    private static String line(
            DependencyTree.Node node, @org.jspecify.annotations.Nullable Long bytes) {
        String note =
                node.omitted().isEmpty()
                        ? bytes == null ? "" : "  %,d bytes".formatted(bytes)
                        : "  (" + node.omitted() + ")";
        return "  " + "  ".repeat(node.depth()) + node.coordinate() + note;
    }

    private ReplTool findJar() {
        return new ReplTool(
                "find_jar",
                "Find the jar of a class",
                """
                Tells where a class comes from: a module of the JDK, the session's class path, or \
                a jar in the local Maven repository that could be added. Simple or full name.\
                """,
                Effect.READ_ONLY,
                List.of(
                        ToolParameter.text("class", NAME_CHARS_MAX, "The name of a class."),
                        ToolParameter.integer(
                                "limit", 1, FOUND_MAX, "How many jars to list. Default 20.")),
                Json.of(
                        """
                        {"type":"object","properties":{
                        "loaded":{"type":"array","items":{"type":"object","properties":{
                         "name":{"type":"string"},"origin":{"type":"string"}},
                         "required":["name","origin"]}},
                        "jars":{"type":"array","items":{"type":"string"}},
                        "omitted":{"type":"integer"},"complete":{"type":"boolean"},
                        "problem":{"type":"string"}},
                        "required":["loaded","jars","omitted","complete"]}
                        """),
                (arguments, progress) ->
                        findJar(
                                arguments.text("class").strip(),
                                (int) arguments.number("limit", FOUND_DEFAULT)));
    }

    private ReplToolResult findJar(String name, int limit)
            throws ReplException, InterruptedException {
        List<Json> loaded =
                JsonFields.elements(session.search(name, FOUND_MAX), "classes").stream()
                        .filter(it -> isNamed(JsonFields.text(it, "name"), name))
                        .limit(CLASSES_MAX)
                        .toList();
        JsonWriter structured = new JsonWriter().beginObject().name("loaded").beginArray();
        loaded.forEach(structured::value);
        structured.endArray();
        var lines = new ArrayList<String>();
        for (Json one : loaded) {
            lines.add(
                    "%s is in %s"
                            .formatted(
                                    JsonFields.text(one, "name"), JsonFields.text(one, "origin")));
        }
        addJars(name, limit, structured, lines);
        return ReplToolResult.of(
                lines.isEmpty() ? "No class path and no jar has it." : String.join("\n", lines),
                structured);
    }

    private static boolean isNamed(String found, String wanted) {
        return found.equals(wanted) || found.endsWith("." + wanted);
    }

    private void addJars(String name, int limit, JsonWriter structured, List<String> lines)
            throws InterruptedException {
        try {
            LocalRepository.Found<Path> found = repository.jarsWith(name);
            List<String> jars = found.results().stream().limit(limit).map(Path::toString).toList();
            InspectTools.writeStrings("jars", jars, structured);
            structured.member("omitted", found.results().size() - jars.size());
            structured.member("complete", found.isComplete());
            jars.forEach(jar -> lines.add("  " + jar));
            if (found.results().size() > jars.size()) {
                lines.add("… and " + (found.results().size() - jars.size()) + " more jars");
            }
            if (!found.isComplete()) {
                lines.add("Not all jars were looked at, because time ran out.");
            }
        } catch (IOException e) {
            InspectTools.writeStrings("jars", List.of(), structured);
            structured.member("omitted", 0).member("complete", false);
            structured.member("problem", String.valueOf(e.getMessage()));
            lines.add(String.valueOf(e.getMessage()));
        }
    }

    private ReplTool searchArtifacts() {
        return new ReplTool(
                "search_artifacts",
                "Search for libraries",
                """
                Finds Maven artifacts whose group and name contain all words: in the local \
                repository (default, works offline) or in Maven Central.\
                """,
                Effect.DOWNLOADS,
                List.of(
                        ToolParameter.text("words", NAME_CHARS_MAX, "Words, with spaces between."),
                        ToolParameter.choice(
                                "where", List.of("local", "central"), "Default local."),
                        ToolParameter.integer(
                                "limit", 1, FOUND_MAX, "How many to list. Default 20.")),
                Json.of(
                        """
                        {"type":"object","properties":{"where":{"type":"string"},
                        "count":{"type":"integer"},"complete":{"type":"boolean"},
                        "artifacts":{"type":"array","items":{"type":"object","properties":{
                         "coordinate":{"type":"string"},"latestVersion":{"type":"string"},
                         "versions":{"type":"array","items":{"type":"string"}},
                         "versionCount":{"type":"integer"}},
                         "required":["coordinate","versionCount"]}}},
                        "required":["where","count","complete","artifacts"]}
                        """),
                (arguments, progress) -> {
                    List<String> words =
                            List.of(arguments.text("words").strip().split("[\\s:]+", -1));
                    int limit = (int) arguments.number("limit", FOUND_DEFAULT);
                    return arguments.text("where").equals("central")
                            ? searchCentral(words, limit)
                            : searchLocal(words, limit);
                });
    }

    private ReplToolResult searchLocal(List<String> words, int limit)
            throws ReplException, InterruptedException {
        LocalRepository.Found<LocalRepository.Artifact> found;
        try {
            found = repository.search(words);
        } catch (IOException e) {
            throw new ReplException(String.valueOf(e.getMessage()), e);
        }
        JsonWriter structured = begin("local", found.results().size(), found.isComplete());
        var lines = new ArrayList<String>();
        for (LocalRepository.Artifact one : found.results().stream().limit(limit).toList()) {
            String coordinate = one.group() + ":" + one.name();
            structured.beginObject().member("coordinate", coordinate);
            InspectTools.writeStrings("versions", one.versions(), structured);
            structured.member("versionCount", one.versions().size()).endObject();
            lines.add(coordinate + "  " + String.join(", ", one.versions()));
        }
        return finish(lines, found.results().size(), structured);
    }

    private ReplToolResult searchCentral(List<String> words, int limit)
            throws ReplException, InterruptedException {
        CentralSearch.Hits hits;
        try {
            hits = central.search(words, limit);
        } catch (IOException e) {
            String reason = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
            throw new ReplException(
                    ("The search of Maven Central at %s failed: %s. Without a network, use where"
                                    + " local. %s sets another address.")
                            .formatted(central.base(), reason, ReplEnvironment.SEARCH_URL),
                    e);
        }
        JsonWriter structured = begin("central", hits.total(), true);
        var lines = new ArrayList<String>();
        for (CentralSearch.Hit hit : hits.hits()) {
            structured.beginObject().member("coordinate", hit.coordinate());
            structured.member("latestVersion", hit.latestVersion());
            structured.member("versionCount", hit.versions()).endObject();
            lines.add(hit.coordinate() + ":" + hit.latestVersion());
        }
        return finish(lines, hits.total(), structured);
    }

    private static JsonWriter begin(String where, long count, boolean isComplete) {
        return new JsonWriter()
                .beginObject()
                .member("where", where)
                .member("count", count)
                .member("complete", isComplete)
                .name("artifacts")
                .beginArray();
    }

    private static ReplToolResult finish(List<String> lines, long count, JsonWriter structured) {
        if (count > lines.size()) {
            lines.add("… and " + (count - lines.size()) + " more");
        }
        return ReplToolResult.of(
                lines.isEmpty() ? "No artifact has such a name." : String.join("\n", lines),
                structured.endArray());
    }
}
