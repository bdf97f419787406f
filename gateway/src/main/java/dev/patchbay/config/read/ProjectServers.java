package dev.patchbay.config.read;

import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.json.Json;
import dev.patchbay.server.SecretReference;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/** Reads the servers of a configuration file without expanding variables. */
public final class ProjectServers {
    /**
     * One server.
     *
     * @param fingerprint the hash to approve
     * @param variables the environment variables that the entry asks for
     * @param secrets the secrets that the entry asks for, as written
     */
    public record WrittenServer(
            String key,
            String fingerprint,
            Json definition,
            List<String> variables,
            List<SecretReference> secrets) {
        public WrittenServer {
            variables = List.copyOf(variables);
            secrets = List.copyOf(secrets);
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
                var secrets = new LinkedHashSet<SecretReference>();
                visitStrings(
                        entry,
                        text -> {
                            variables.addAll(VariableExpander.namesIn(text));
                            secrets.addAll(VariableExpander.referencesIn(text));
                        });
                servers.add(
                        new WrittenServer(
                                key,
                                LaunchFingerprint.of(key, entry),
                                SyntaxNodeJson.toJson(entry),
                                List.copyOf(variables),
                                List.copyOf(secrets)));
            }
        }
    }

    private static void visitStrings(SyntaxNode node, Consumer<String> visitor) {
        switch (node) {
            case SyntaxNode.ObjectNode object ->
                    object.members().forEach(it -> visitStrings(it.value(), visitor));
            case SyntaxNode.ArrayNode array ->
                    array.elements().forEach(it -> visitStrings(it, visitor));
            case SyntaxNode.StringNode string -> visitor.accept(string.value());
            case SyntaxNode.NumberNode _,
                    SyntaxNode.BooleanNode _,
                    SyntaxNode.NullNode _,
                    SyntaxNode.InvalidNode _ -> {}
        }
    }
}
