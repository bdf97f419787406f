package dev.patchbay.config.read;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.config.ProjectTrust;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.ServerKeyMapper;
import dev.patchbay.config.TextPosition;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.JsoncParser;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.ConfigFault;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads configuration files: the {@code mcpServers} JSON that other programs use too, with comments
 * and trailing commas. It never throws: every problem is a finding with its position.
 */
public final class ConfigReader {
    public static final int FILE_BYTES_MAX = 1 << 20;

    /**
     * The variable with which a host selects the style of tool names. It overrides the file, which
     * several hosts may share.
     */
    public static final String NAMES_VARIABLE = "PATCHBAY_NAMES";

    public static final String MCP_SERVERS_KEY = "mcpServers";
    public static final String EDITOR_SERVERS_KEY = "servers";
    static final String SETTINGS_KEY = "patchbay";

    private static final Map<String, String> SYNONYMS =
            Map.of(
                    "mcp",
                    MCP_SERVERS_KEY,
                    "mcp_servers",
                    MCP_SERVERS_KEY,
                    "mcp-servers",
                    MCP_SERVERS_KEY,
                    "gateway",
                    SETTINGS_KEY);

    private final VariableExpander variables;
    private final @Nullable ProjectTrust trust;

    /**
     * A reader for files that the user has chosen. Every entry is used.
     *
     * @param environment the values of variables
     */
    public ConfigReader(Map<String, String> environment) {
        this(environment, null);
    }

    /**
     * A reader for the file of a project. Entries that are not approved are not read, and settings
     * that only the user may choose are ignored.
     *
     * @param trust which entries are approved; null for a file that the user has chosen
     */
    public ConfigReader(Map<String, String> environment, @Nullable ProjectTrust trust) {
        this.variables = new VariableExpander(environment);
        this.trust = trust;
    }

    /** The file whose changes affect the approvals; null if everything is approved. */
    @Nullable Path approvalsFile() {
        return trust == null ? null : trust.approvalsFile();
    }

    public ConfigReadResult read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in.readNBytes(FILE_BYTES_MAX + 1), file);
        } catch (NoSuchFileException e) {
            return unreadable("The file does not exist", "Create it, or choose another file");
        } catch (AccessDeniedException e) {
            return unreadable("No permission to read the file", "Change its permissions");
        } catch (IOException e) {
            boolean folder = Files.isDirectory(file);
            return unreadable(
                    folder ? "This is a folder" : "The file cannot be read",
                    folder ? "Name a file in it" : "Check that other programs can read it");
        }
    }

    public ConfigReadResult read(byte[] bytes) {
        return read(bytes, null);
    }

    /**
     * Reads the content of a file.
     *
     * @param file named in the failures of servers; null if there is none
     */
    public ConfigReadResult read(byte[] bytes, @Nullable Path file) {
        if (bytes.length > FILE_BYTES_MAX) {
            return unreadable("The file is larger than 1 MiB", "Check that it is the right file");
        }
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            return read(decoder.decode(ByteBuffer.wrap(bytes)).toString(), file);
        } catch (CharacterCodingException e) {
            return invalidUtf8(bytes);
        }
    }

    public ConfigReadResult read(String text) {
        return read(text, null);
    }

    private ConfigReadResult read(String text, @Nullable Path file) {
        var findings = new FindingCollector(text);
        SyntaxNode root = JsoncParser.parse(text, findings);
        if (root == null) {
            return new ConfigReadResult.Invalid(findings.sorted());
        }
        if (!(root instanceof SyntaxNode.ObjectNode table)) {
            findings.add(
                    Kind.WRONG_TYPE,
                    new Location("", root.from()),
                    "The file must contain one object",
                    "Write {\"mcpServers\": {…}}");
            return new ConfigReadResult.Invalid(findings.sorted());
        }
        var configuration = new FileReading(findings, file).readConfiguration(table);
        return findings.hasErrors()
                ? new ConfigReadResult.Invalid(findings.sorted())
                : new ConfigReadResult.Valid(configuration, findings.sorted());
    }

    private static ConfigReadResult invalidUtf8(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        var chars = java.nio.CharBuffer.allocate(bytes.length);
        StandardCharsets.UTF_8.newDecoder().decode(buffer, chars, true);
        String good = chars.flip().toString();
        var findings = new FindingCollector(good);
        boolean utf16 = bytes.length > 1 && (bytes[0] == (byte) 0xFF || bytes[0] == (byte) 0xFE);
        findings.add(
                Kind.UNREADABLE,
                new Location("", good.length()),
                utf16 ? "The file is UTF-16" : "Not UTF-8 from here on",
                "Save the file as UTF-8");
        return new ConfigReadResult.Invalid(findings.sorted());
    }

    private static ConfigReadResult unreadable(String problem, String remedy) {
        return new ConfigReadResult.Invalid(
                List.of(new Finding(Kind.UNREADABLE, TextPosition.START, "", problem, remedy)));
    }

    /** Reads one file. */
    private final class FileReading {
        private final FindingCollector findings;
        private final @Nullable Path file;
        private final ProjectTrust.@Nullable Approvals approvals;
        private final Map<ServerId, SyntaxNode.StringNode> keysById = new HashMap<>();

        FileReading(FindingCollector findings, @Nullable Path file) {
            this.findings = findings;
            this.file = file;
            this.approvals = trust == null ? null : trust.load();
        }

        Configuration readConfiguration(SyntaxNode.ObjectNode root) {
            var top = new ObjectReader(root, "", findings, variables);
            top.readNode("$schema");
            top.readNode("inputs");
            var servers = readServers(top);
            ObjectReader written = top.readObject(SETTINGS_KEY);
            PatchbaySettings read = SettingsReader.read(written);
            if (approvals != null) {
                read = ProjectSettings.restrict(read, written);
            }
            var settings = withNamesFromEnvironment(read, top);
            if (!settings.views().isEmpty()) {
                ViewReader.warnOfUnknownServers(written, settings.views(), keysById.keySet());
            }
            top.warnOfUnknownKeys(SYNONYMS);
            return new Configuration(List.copyOf(servers), settings);
        }

        private PatchbaySettings withNamesFromEnvironment(
                PatchbaySettings settings, ObjectReader top) {
            var expanded = variables.expand("${" + NAMES_VARIABLE + ":-}");
            if (expanded.value().literalText().isEmpty()) {
                return settings;
            }
            for (PatchbaySettings.Names names : PatchbaySettings.Names.values()) {
                if (names.name().toLowerCase(Locale.ROOT).equals(expanded.value().literalText())) {
                    return settings.withNames(names)
                            .withViews(
                                    settings.views().stream()
                                            .map(CatalogView::withDefaultNames)
                                            .toList());
                }
            }
            findings.add(
                    Kind.WRONG_VALUE,
                    top.location(),
                    "The environment variable " + NAMES_VARIABLE + " has an unknown value",
                    "Set it to auto, dotted, safe or bare, or unset it");
            return settings;
        }

        private Collection<ServerSpec> readServers(ObjectReader top) {
            SyntaxNode common = top.readNode(MCP_SERVERS_KEY);
            SyntaxNode editors = top.readNode(EDITOR_SERVERS_KEY);
            if (common != null && editors != null) {
                findings.add(
                        Kind.CONFLICT,
                        top.locationOf(EDITOR_SERVERS_KEY),
                        "Both mcpServers and servers are present",
                        "Move all servers into mcpServers");
            }
            if (common == null && editors == null) {
                findings.add(
                        Kind.DOUBTFUL,
                        top.location(),
                        "The file contains no servers",
                        "Write \"mcpServers\": {…}");
            }
            var servers = new LinkedHashMap<ServerId, ServerSpec>();
            readServersInto(top.readObject(MCP_SERVERS_KEY), servers);
            readServersInto(top.readObject(EDITOR_SERVERS_KEY), servers);
            return servers.values();
        }

        /** A key that occurs twice is a fault of the second entry, which replaces the first. */
        private void readServersInto(ObjectReader entries, Map<ServerId, ServerSpec> servers) {
            for (SyntaxNode.Member member : entries.members()) {
                ServerSpec server = readServer(entries, member);
                if (server != null) {
                    servers.put(server.id(), server);
                }
                takeFaults(member); // of an entry that gives no server
            }
        }

        /** The faults of an entry. They affect its server only. */
        private List<ConfigFault> takeFaults(SyntaxNode.Member member) {
            int from = member.name().from();
            return findings.takeErrors(from, member.value().to()).stream()
                    .map(this::toFault)
                    .toList();
        }

        private ConfigFault toFault(Finding finding) {
            String place = (file == null ? "" : file + ":") + finding.position();
            String problem = finding.path() + ": " + finding.problem();
            return new ConfigFault(place, problem, finding.remedy());
        }

        private @Nullable ServerSpec readServer(ObjectReader entries, SyntaxNode.Member member) {
            String key = member.name().value();
            Location spot = entries.locationOf(member);
            if (!(member.value() instanceof SyntaxNode.ObjectNode table)) {
                entries.readObject(key);
                ServerId id = readId(member.name(), spot);
                return id == null ? null : notAnObject(id, member);
            }
            var fields =
                    new ObjectReader(table, spot.path(), findings, variables.forServerEntries());
            if (SelfReference.startsPatchbay(table)) {
                findings.add(
                        Kind.SELF,
                        spot,
                        "The entry starts Patchbay itself; ignored",
                        "No action is needed");
                return null;
            }
            ServerId id = readId(member.name(), spot);
            String refusal =
                    approvals == null
                            ? null
                            : approvals.refusal(key, LaunchFingerprint.of(key, table));
            if (refusal != null) {
                return id == null ? null : notTrusted(fields, id, spot, refusal);
            }
            // Read in any case, so that the faults inside are found at once too.
            ServerId readAs = id == null ? Configuration.REPL_ID : id;
            ServerSpec server = ServerReader.read(fields, readAs, () -> takeFaults(member));
            return id == null ? null : server;
        }

        private ServerSpec notAnObject(ServerId id, SyntaxNode.Member member) {
            var transport = new ServerSpec.Transport.Invalid(true, takeFaults(member));
            return new ServerSpec(id, transport, ServerSpec.Options.DEFAULTS).withRetriesMax(0);
        }

        /** A server of which nothing is used but whether it is enabled. */
        private ServerSpec notTrusted(
                ObjectReader entry, ServerId id, Location spot, String refusal) {
            findings.add(
                    Kind.NOT_TRUSTED,
                    spot,
                    "Not started: " + refusal,
                    "Run patchbay trust to review it");
            boolean disabled =
                    entry.readBoolean("disabled", false) || !entry.readBoolean("enabled", true);
            var transport = new ServerSpec.Transport.NotTrusted(entry.has("command"), refusal);
            var options = ServerSpec.Options.DEFAULTS.withEnabled(!disabled);
            return new ServerSpec(id, transport, options).withRetriesMax(0);
        }

        private @Nullable ServerId readId(SyntaxNode.StringNode name, Location spot) {
            String key = name.value();
            ServerId id = ServerKeyMapper.toServerId(key);
            String shown = SanitizedText.quote(key);
            if (id == null) {
                findings.add(
                        Kind.ILLEGAL_ID,
                        spot,
                        shown + " contains no letter or digit for a server name",
                        "Write letters, digits and hyphens");
                return null;
            }
            if (id.value().equals(ServerKeyMapper.RESERVED_ID)) {
                findings.add(
                        Kind.ILLEGAL_ID,
                        spot,
                        "The name patchbay is reserved for the gateway",
                        "Choose another key");
                return null;
            }
            SyntaxNode.StringNode first = keysById.putIfAbsent(id, name);
            // The parser has already reported duplicate keys.
            if (first != null && !first.value().equals(key)) {
                var place = findings.positionAt(first.from());
                findings.add(
                        Kind.CONFLICT,
                        spot,
                        "%s becomes %s, as the key at %s".formatted(shown, id, place),
                        "Choose another key of letters, digits and hyphens");
                return null;
            }
            if (!id.value().equals(key)) {
                findings.add(
                        Kind.MAPPED_ID,
                        spot,
                        "%s is not a valid server name; using \"%s\"".formatted(shown, id),
                        "Rename it to letters, digits and hyphens to avoid this notice");
            }
            return id;
        }
    }
}
