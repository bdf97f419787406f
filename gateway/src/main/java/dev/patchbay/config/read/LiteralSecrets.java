package dev.patchbay.config.read;

import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.SecretDetector;
import dev.patchbay.config.VersionControl;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Finds secrets that are written out in a configuration file that others may get to read. */
public final class LiteralSecrets {
    private static final List<String> VALUE_KEYS = List.of("env", "headers");

    private final FindingCollector findings;

    private LiteralSecrets(FindingCollector findings) {
        this.findings = findings;
    }

    /** Whether a value of that name is a secret itself, and not a reference to one. */
    public static boolean isLiteralSecret(String name, String value) {
        return !value.isEmpty()
                && !value.contains("${")
                && (SecretDetector.isSecretName(name) || SecretDetector.looksSecret(value));
    }

    /** Returns a finding for each such secret if the file is in a version-controlled folder. */
    public static List<Finding> findIn(Path file) {
        try {
            byte[] bytes = AtomicFile.readIfExists(file, ConfigReader.FILE_BYTES_MAX);
            if (bytes == null || !VersionControl.isInWorkTree(file)) {
                return List.of();
            }
            return findIn(AtomicFile.decodeUtf8(bytes));
        } catch (IOException _) {
            return List.of(); // what is wrong with the file is found when it is read
        }
    }

    static List<Finding> findIn(String text) {
        var findings = new FindingCollector(text);
        if (!(JsoncParser.parse(text, new FindingCollector(text))
                instanceof SyntaxNode.ObjectNode root)) {
            return List.of();
        }
        var search = new LiteralSecrets(findings);
        search.searchServers(ConfigReader.MCP_SERVERS_KEY, root);
        search.searchServers(ConfigReader.EDITOR_SERVERS_KEY, root);
        return findings.sorted();
    }

    private void searchServers(String key, SyntaxNode.ObjectNode root) {
        SyntaxNode.@Nullable ObjectNode servers = root.object(key);
        if (servers == null) {
            return;
        }
        for (SyntaxNode.Member server : servers.members()) {
            if (server.value() instanceof SyntaxNode.ObjectNode entry) {
                String path = SanitizedText.memberPath(key, server.name().value());
                VALUE_KEYS.forEach(it -> searchValues(path, it, server.name().value(), entry));
            }
        }
    }

    private void searchValues(String path, String key, String server, SyntaxNode.ObjectNode entry) {
        SyntaxNode.@Nullable ObjectNode values = entry.object(key);
        if (values == null) {
            return;
        }
        for (SyntaxNode.Member member : values.members()) {
            String name = member.name().value();
            if (member.value() instanceof SyntaxNode.StringNode text
                    && isLiteralSecret(name, text.value())) {
                String secret = secretName(server, name);
                findings.add(
                        Kind.EXPOSED_SECRET,
                        new Location(
                                SanitizedText.memberPath(SanitizedText.memberPath(path, key), name),
                                text.from()),
                        "Looks like a secret, in a version-controlled folder",
                        "Run patchbay secret set %s, and write ${secret:%s} here"
                                .formatted(secret, secret));
            }
        }
    }

    /** The name under which the secret store is to keep a value of a server. */
    public static String secretName(String server, String name) {
        String plain = (server + "." + name).replaceAll("[^A-Za-z0-9._-]", "_");
        String cut = plain.substring(0, Math.min(plain.length(), 100));
        return Character.isLetterOrDigit(cut.charAt(0)) ? cut : "x" + cut.substring(1);
    }
}
