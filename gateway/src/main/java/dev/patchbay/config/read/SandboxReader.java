package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.SandboxPolicy.Endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads how far the process of a server is confined. */
final class SandboxReader {
    private enum Level {
        NONE,
        STANDARD,
        STRICT,
        LEARN
    }

    private static final int ENTRIES_MAX = 1_000;
    private static final String KEY = "sandbox";

    private final ObjectReader entry;

    SandboxReader(ObjectReader entry) {
        this.entry = entry;
    }

    SandboxPolicy read() {
        if (entry.readNode(KEY) instanceof SyntaxNode.StringNode) {
            Level level = entry.readConstant(KEY, Level.class, Level.NONE);
            return policy(level, List.of(), List.of(), List.of());
        }
        boolean isSet = entry.has(KEY);
        ObjectReader fields = entry.readObject(KEY);
        Level level = fields.readConstant("level", Level.class, Level.STRICT);
        List<String> read = readPaths(fields, "read");
        List<String> write = readPaths(fields, "write");
        List<Endpoint> network = readNetwork(fields);
        fields.warnOfUnknownKeys(Map.of("hosts", "network", "readonly", "read"));
        if (level != Level.STRICT && fields.has("network")) {
            fields.addFinding(
                    Kind.CONFLICT,
                    fields.locationOf("network"),
                    "Only the level strict limits the network",
                    "Write \"level\": \"strict\", or remove network");
        }
        return isSet ? policy(level, read, write, network) : SandboxPolicy.none();
    }

    private static SandboxPolicy policy(
            Level level, List<String> read, List<String> write, List<Endpoint> network) {
        return switch (level) {
            case NONE -> SandboxPolicy.none();
            case STANDARD -> new SandboxPolicy.Standard(read, write);
            case STRICT -> new SandboxPolicy.Strict(read, write, network);
            case LEARN -> new SandboxPolicy.Learn();
        };
    }

    private static List<String> readPaths(ObjectReader fields, String key) {
        List<String> paths = fields.readStrings(key);
        boolean legal =
                paths.size() <= ENTRIES_MAX
                        && paths.stream().noneMatch(it -> it.isEmpty() || it.indexOf('\0') >= 0);
        if (!legal) {
            fields.addFinding(
                    Kind.WRONG_VALUE,
                    fields.locationOf(key),
                    "A path is empty, or there are more than " + ENTRIES_MAX,
                    "Write the paths of files and folders");
            return List.of();
        }
        return paths;
    }

    private static List<Endpoint> readNetwork(ObjectReader fields) {
        if (fields.readNode("network") instanceof SyntaxNode.BooleanNode flag) {
            if (flag.value()) {
                addNetworkFinding(fields, "true is not possible: strict has no open network");
            }
            return List.of();
        }
        var found = new ArrayList<Endpoint>();
        List<String> texts = fields.readStrings("network");
        for (String text : texts.subList(0, Math.min(texts.size(), ENTRIES_MAX))) {
            Endpoint endpoint = Endpoint.parse(text);
            if (endpoint == null) {
                addNetworkFinding(fields, SanitizedText.quote(text) + " is not host:port");
            } else {
                found.add(endpoint);
            }
        }
        if (texts.size() > ENTRIES_MAX) {
            addNetworkFinding(fields, "More than " + ENTRIES_MAX + " hosts");
        }
        return found;
    }

    private static void addNetworkFinding(ObjectReader fields, String problem) {
        fields.addFinding(
                Kind.WRONG_VALUE,
                fields.locationOf("network"),
                problem,
                "Write [\"api.example.com:443\"], or false for no network");
    }
}
