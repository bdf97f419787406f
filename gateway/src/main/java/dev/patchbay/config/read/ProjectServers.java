package dev.patchbay.config.read;

import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The servers of a configuration file as they are written, without any variable expanded. */
public final class ProjectServers {
    /**
     * One server.
     *
     * @param fingerprint the hash to approve
     * @param variables the environment variables that the entry asks for
     */
    public record WrittenServer(
            String key, String fingerprint, Json definition, List<String> variables) {
        public WrittenServer {
            variables = List.copyOf(variables);
        }
    }

    private ProjectServers() {}

    /** Returns the servers in the order of the file; none if the text cannot be read. */
    public static List<WrittenServer> read(String text) {
        if (!(JsoncParser.parse(text, new FindingCollector(text))
                instanceof SyntaxNode.ObjectNode root)) {
            return List.of();
        }
        var servers = new ArrayList<WrittenServer>();
        addServers(root.object(ConfigReader.MCP_SERVERS_KEY), servers);
        addServers(root.object(ConfigReader.EDITOR_SERVERS_KEY), servers);
        return servers;
    }

    private static void addServers(
            SyntaxNode.@Nullable ObjectNode list, List<WrittenServer> servers) {
        if (list == null) {
            return;
        }
        for (SyntaxNode.Member member : list.members()) {
            if (member.value() instanceof SyntaxNode.ObjectNode entry
                    && !SelfReference.startsPatchbay(entry)) {
                String key = member.name().value();
                var variables = new LinkedHashSet<String>();
                collectVariables(entry, variables);
                servers.add(
                        new WrittenServer(
                                key,
                                LaunchFingerprint.of(key, entry),
                                SyntaxNodeJson.toJson(entry),
                                List.copyOf(variables)));
            }
        }
    }

    private static void collectVariables(SyntaxNode node, Set<String> variables) {
        switch (node) {
            case SyntaxNode.ObjectNode object ->
                    object.members().forEach(it -> collectVariables(it.value(), variables));
            case SyntaxNode.ArrayNode array ->
                    array.elements().forEach(it -> collectVariables(it, variables));
            case SyntaxNode.StringNode string ->
                    variables.addAll(VariableExpander.namesIn(string.value()));
            case SyntaxNode.NumberNode _,
                    SyntaxNode.BooleanNode _,
                    SyntaxNode.NullNode _,
                    SyntaxNode.InvalidNode _ -> {}
        }
    }
}
