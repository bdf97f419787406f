package dev.patchbay.config.read;

import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.config.syntax.SyntaxNodeJson;
import dev.patchbay.json.Json;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A hash of everything in a server's entry that affects what runs, what it receives and where data
 * is sent. Variables are hashed without being expanded. Unknown keys are part of the hash.
 */
public final class LaunchFingerprint {
    /** The keys that are not hashed: they cannot start, send or expose anything. */
    private static final Set<String> HARMLESS_KEYS =
            Set.of("enabled", "disabled", "connectionTimeoutMs", "requestTimeoutMs", "maxRetries");

    private LaunchFingerprint() {}

    /** Returns the hash of an entry, independent of the order of its keys and its layout. */
    public static String of(String key, Json definition) {
        String text = definition.toString();
        return JsoncParser.parse(text, new FindingCollector(text))
                        instanceof SyntaxNode.ObjectNode node
                ? of(key, node)
                : "";
    }

    static String of(String key, SyntaxNode.ObjectNode entry) {
        List<SyntaxNode.Member> members =
                entry.members().stream()
                        .filter(member -> !HARMLESS_KEYS.contains(member.name().value()))
                        .toList();
        var launch = new SyntaxNode.ObjectNode(0, 0, members);
        String text = Json.string(key) + "\n" + SyntaxNodeJson.toJson(sorted(launch));
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JVM has SHA-256", e);
        }
    }

    private static SyntaxNode sorted(SyntaxNode node) {
        return switch (node) {
            case SyntaxNode.ObjectNode object -> {
                var members = new ArrayList<SyntaxNode.Member>();
                for (SyntaxNode.Member member : object.members()) {
                    members.add(new SyntaxNode.Member(member.name(), sorted(member.value()), -1));
                }
                members.sort(Comparator.comparing(member -> member.name().value()));
                yield new SyntaxNode.ObjectNode(0, 0, List.copyOf(members));
            }
            case SyntaxNode.ArrayNode array ->
                    new SyntaxNode.ArrayNode(
                            0,
                            0,
                            array.elements().stream().map(LaunchFingerprint::sorted).toList());
            case SyntaxNode.StringNode _,
                    SyntaxNode.NumberNode _,
                    SyntaxNode.BooleanNode _,
                    SyntaxNode.NullNode _,
                    SyntaxNode.InvalidNode _ ->
                    node;
        };
    }
}
