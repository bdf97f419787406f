package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Findings.Spot;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;

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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads configuration files: the {@code mcpServers} JSON that other programs use too, with comments
 * and trailing commas. It never throws: whatever is wrong is a finding with its place.
 */
public final class ConfigReader {
    public static final int FILE_BYTES_MAX = 1 << 20;

    /**
     * The variable by which a host that starts the gateway chooses how tools are named for it. It
     * goes before the file, which does not know who reads it.
     */
    public static final String NAMES_VARIABLE = "PATCHBAY_NAMES";

    static final String SERVERS = "mcpServers";
    static final String SERVERS_OF_EDITORS = "servers";
    static final String OWN = "patchbay";

    private static final Map<String, String> SYNONYMS =
            Map.of("mcp", SERVERS, "mcp_servers", SERVERS, "mcp-servers", SERVERS, "gateway", OWN);

    private final Variables variables;

    /** A reader that takes the values of variables from that environment. */
    public ConfigReader(Map<String, String> environment) {
        variables = new Variables(environment);
    }

    public ConfigFile read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            return read(in.readNBytes(FILE_BYTES_MAX + 1));
        } catch (NoSuchFileException e) {
            return unreadable("The file does not exist", "Write it, or choose another");
        } catch (AccessDeniedException e) {
            return unreadable("The file may not be read by this user", "Change its permissions");
        } catch (IOException e) {
            boolean folder = Files.isDirectory(file);
            return unreadable(
                    folder ? "This is a folder" : "The file cannot be read",
                    folder ? "Name a file in it" : "See whether another program can read it");
        }
    }

    public ConfigFile read(byte[] bytes) {
        if (bytes.length > FILE_BYTES_MAX) {
            return unreadable("The file is larger than 1 MiB", "Is it the right file?");
        }
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            return read(decoder.decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return notUtf8(bytes);
        }
    }

    public ConfigFile read(String text) {
        var findings = new Findings(text);
        Node root = Jsonc.read(text, findings);
        if (root == null) {
            return new ConfigFile.Faulty(findings.inOrder());
        }
        if (!(root instanceof Node.Table table)) {
            findings.add(
                    Kind.WRONG_TYPE,
                    new Spot("", root.from()),
                    "The file should be one object",
                    "Write {\"mcpServers\": {…}}");
            return new ConfigFile.Faulty(findings.inOrder());
        }
        var configuration = new Run(findings).configuration(table);
        return findings.isFaulty()
                ? new ConfigFile.Faulty(findings.inOrder())
                : new ConfigFile.Valid(configuration, findings.inOrder());
    }

    private static ConfigFile notUtf8(byte[] bytes) {
        var buffer = ByteBuffer.wrap(bytes);
        var chars = java.nio.CharBuffer.allocate(bytes.length);
        StandardCharsets.UTF_8.newDecoder().decode(buffer, chars, true);
        String good = chars.flip().toString();
        var findings = new Findings(good);
        boolean utf16 = bytes.length > 1 && (bytes[0] == (byte) 0xFF || bytes[0] == (byte) 0xFE);
        findings.add(
                Kind.UNREADABLE,
                new Spot("", good.length()),
                utf16 ? "The file is UTF-16" : "From here on it is not UTF-8",
                "Save the file as UTF-8");
        return new ConfigFile.Faulty(findings.inOrder());
    }

    private static ConfigFile unreadable(String problem, String remedy) {
        return new ConfigFile.Faulty(
                List.of(new Finding(Kind.UNREADABLE, Place.START, "", problem, remedy)));
    }

    /** The reading of one file. */
    private final class Run {
        private final Findings findings;
        private final Map<ServerId, Node.Text> seen = new HashMap<>();

        Run(Findings findings) {
            this.findings = findings;
        }

        Configuration configuration(Node.Table root) {
            var top = new Fields(root, "", findings, variables);
            top.take("$schema");
            top.take("inputs");
            var servers = servers(top);
            var settings = named(SettingsReader.read(top.fields(OWN)), top);
            top.warnOfUnknown(SYNONYMS);
            return new Configuration(servers, settings);
        }

        private Settings named(Settings settings, Fields top) {
            var expanded = variables.expand("${" + NAMES_VARIABLE + ":-}");
            if (expanded.text().isEmpty()) {
                return settings;
            }
            for (Settings.Names names : Settings.Names.values()) {
                if (names.name().toLowerCase(Locale.ROOT).equals(expanded.text())) {
                    return settings.withNames(names);
                }
            }
            findings.add(
                    Kind.WRONG_VALUE,
                    top.entry(),
                    "The environment variable " + NAMES_VARIABLE + " says something not known",
                    "Set it to one of auto, dotted, safe, bare, or to nothing");
            return settings;
        }

        private List<ServerSpec> servers(Fields top) {
            Node common = top.take(SERVERS);
            Node editors = top.take(SERVERS_OF_EDITORS);
            if (common != null && editors != null) {
                findings.add(
                        Kind.CONFLICT,
                        top.spot(SERVERS_OF_EDITORS),
                        "Both mcpServers and servers are written",
                        "Move all servers into mcpServers");
            }
            if (common == null && editors == null) {
                findings.add(
                        Kind.DOUBTFUL,
                        top.entry(),
                        "There are no servers in the file",
                        "Write \"mcpServers\": {…}");
            }
            var servers = new ArrayList<ServerSpec>();
            addServers(top.fields(SERVERS), servers);
            addServers(top.fields(SERVERS_OF_EDITORS), servers);
            return servers;
        }

        private void addServers(Fields entries, List<ServerSpec> servers) {
            for (Node.Member member : entries.members()) {
                ServerSpec server = server(entries, member);
                if (server != null) {
                    servers.add(server);
                }
            }
        }

        private @Nullable ServerSpec server(Fields entries, Node.Member member) {
            String key = member.name().value();
            Spot spot = entries.spot(member);
            if (!(member.value() instanceof Node.Table table)) {
                entries.fields(key);
                return null;
            }
            var fields = new Fields(table, spot.path(), findings, variables.forServers());
            if (Self.isStartedBy(table)) {
                findings.add(
                        Kind.SELF,
                        spot,
                        "The entry starts Patchbay itself and is left out",
                        "Nothing is to be done");
                return null;
            }
            ServerId id = id(member.name(), spot);
            // Read in any case, so that the faults inside are found at once too.
            ServerSpec server = ServerReader.read(fields, id == null ? Configuration.REPL : id);
            return id == null ? null : server;
        }

        private @Nullable ServerId id(Node.Text name, Spot spot) {
            String key = name.value();
            ServerId id = ServerKey.toId(key);
            String shown = Quoted.of(key);
            if (id == null) {
                findings.add(
                        Kind.ILLEGAL_ID,
                        spot,
                        shown + " has no letter or digit that an id could be made of",
                        "Write letters, digits and hyphens");
                return null;
            }
            if (id.value().equals(ServerKey.RESERVED)) {
                findings.add(
                        Kind.ILLEGAL_ID,
                        spot,
                        "The id patchbay stands for the gateway itself",
                        "Choose another key");
                return null;
            }
            Node.Text first = seen.putIfAbsent(id, name);
            // A key that stands twice as it is has been reported by the syntax already.
            if (first != null && !first.value().equals(key)) {
                var place = findings.place(first.from());
                findings.add(
                        Kind.CONFLICT,
                        spot,
                        "%s gives the id %s, as the key at %s does".formatted(shown, id, place),
                        "Choose a key of letters, digits and hyphens that is not taken");
                return null;
            }
            if (!id.value().equals(key)) {
                findings.add(
                        Kind.MAPPED_ID,
                        spot,
                        "%s is no legal id; the server is called %s".formatted(shown, id),
                        "Write letters, digits and hyphens to choose the id yourself");
            }
            return id;
        }
    }
}
