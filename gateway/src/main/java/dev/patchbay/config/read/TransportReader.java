package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.ListenAddress;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.SecretDetector;
import dev.patchbay.config.syntax.FindingCollector.Location;
import dev.patchbay.config.syntax.SyntaxNode;
import dev.patchbay.server.ConfiguredValues;
import dev.patchbay.server.SandboxPolicy;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Reads how to connect to a server: a command or a URL. */
final class TransportReader {
    private enum Type {
        STDIO,
        HTTP,
        SSE
    }

    private static final Map<String, Type> TYPES = typesByName();
    private static final List<String> COMMAND_ONLY_KEYS = List.of("args", "env", "cwd", "sandbox");
    private static final List<String> URL_ONLY_KEYS = List.of("headers", "oauth");
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private final ObjectReader entry;

    TransportReader(ObjectReader fields) {
        this.entry = fields;
    }

    private static Map<String, Type> typesByName() {
        var types = new LinkedHashMap<String, Type>();
        types.put("stdio", Type.STDIO);
        types.put("http", Type.HTTP);
        types.put("sse", Type.SSE);
        types.put("streamable-http", Type.HTTP);
        types.put("streamableHttp", Type.HTTP);
        types.put("local", Type.STDIO);
        types.put("remote", Type.HTTP);
        return types;
    }

    @Nullable Transport read() {
        boolean hasCommand = entry.has("command");
        boolean hasUrl = entry.has("url");
        Type type = entry.readConstant("type", TYPES, hasCommand ? Type.STDIO : Type.HTTP);
        String command = readCommand();
        var args = readArgs();
        var env = readEnv();
        String cwd = entry.readString("cwd");
        SandboxPolicy sandbox = new SandboxReader(entry).read();
        URI url = readUrl();
        var headers = readHeaders();
        var signIn = new OAuthConfigReader(entry.readObject("oauth")).read();
        warnOfPlainTextSecret(url, headers);
        if (!checkCombination(type, hasCommand, hasUrl)) {
            return null;
        }
        return switch (type) {
            case STDIO ->
                    command == null ? null : new Transport.Stdio(command, args, env, cwd, sandbox);
            case HTTP -> url == null ? null : new Transport.Http(url, headers, signIn);
            case SSE -> url == null ? null : new Transport.Sse(url, headers, signIn);
        };
    }

    /** Whether there is either a command or a URL, and it matches the type. */
    private boolean checkCombination(Type type, boolean hasCommand, boolean hasUrl) {
        if (hasCommand && hasUrl) {
            entry.addFinding(
                    Kind.CONFLICT,
                    entry.locationOf("url"),
                    "Both command and url are present",
                    "Keep command for a program to start, or url for a server that runs already");
            return false;
        }
        if (!hasCommand && !hasUrl) {
            entry.addFinding(
                    Kind.MISSING,
                    entry.location(),
                    "Neither command nor url is present",
                    "Write \"command\": \"…\" for a program, or \"url\": \"https://…\"");
            return false;
        }
        if (hasUrl != (type != Type.STDIO)) {
            entry.addFinding(
                    Kind.CONFLICT,
                    entry.locationOf("type"),
                    "The type does not match " + (hasUrl ? "a url" : "a command"),
                    hasUrl ? "Write http or sse, or remove type" : "Write stdio, or remove type");
            return false;
        }
        warnOfUnusedKeys(hasUrl ? COMMAND_ONLY_KEYS : URL_ONLY_KEYS, hasUrl);
        return true;
    }

    private void warnOfUnusedKeys(List<String> keys, boolean hasUrl) {
        for (String key : keys) {
            if (entry.has(key)) {
                entry.addFinding(
                        Kind.DOUBTFUL,
                        entry.locationOf(key),
                        "No effect for a server with " + (hasUrl ? "a url" : "a command"),
                        "Remove it");
            }
        }
    }

    private @Nullable String readCommand() {
        if (entry.readNode("command") instanceof SyntaxNode.ArrayNode) {
            entry.addFinding(
                    Kind.WRONG_TYPE,
                    entry.locationOf("command"),
                    "Must be a string, not an array",
                    "Write the program alone, and the rest as \"args\": […]");
            return null;
        }
        String command = entry.readString("command");
        if (command != null && (command.isBlank() || hasNul(command))) {
            entry.addFinding(
                    Kind.WRONG_VALUE,
                    entry.locationOf("command"),
                    "The command is empty",
                    "Write the name or path of a program");
            return null;
        }
        return command;
    }

    private List<String> readArgs() {
        if (entry.readNode("args") instanceof SyntaxNode.ArrayNode written) {
            String before = "";
            for (int i = 0; i < written.elements().size(); i++) {
                SyntaxNode element = written.elements().get(i);
                String arg = element instanceof SyntaxNode.StringNode text ? text.value() : "";
                int index = i;
                checkArgument(before, arg, () -> entry.locationOf("args").element(index, element));
                before = arg;
            }
        }
        return entry.readStrings("args");
    }

    private void checkArgument(String before, String arg, Supplier<Location> spot) {
        if (hasNul(arg)) {
            String problem = "An argument cannot contain a NUL character";
            entry.addFinding(Kind.WRONG_VALUE, spot.get(), problem, "Remove it");
        }
        if (SecretDetector.isSecretArgument(before, arg)) {
            entry.addFinding(
                    Kind.EXPOSED_SECRET,
                    spot.get(),
                    "Looks like a secret; every user of this machine can read arguments",
                    "Pass it in env if the server supports that");
        }
    }

    private ConfiguredValues readEnv() {
        ConfiguredValues env = entry.readValues("env");
        for (var variable : env.literals().entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty() || name.contains("=") || hasNul(name + variable.getValue())) {
                entry.addFinding(
                        Kind.WRONG_VALUE,
                        entry.locationOf("env"),
                        SanitizedText.quote(name) + " is not a valid environment variable",
                        "Write a name without = and a value without NUL characters");
            }
        }
        return env;
    }

    private ConfiguredValues readHeaders() {
        ConfiguredValues headers = entry.readValues("headers");
        for (var header : headers.literals().entrySet()) {
            boolean hasBreak = header.getValue().chars().anyMatch(c -> c < 0x20 && c != '\t');
            if (!HEADER_NAME.matcher(header.getKey()).matches() || hasBreak) {
                entry.addFinding(
                        Kind.WRONG_VALUE,
                        entry.locationOf("headers"),
                        SanitizedText.quote(header.getKey()) + " is not a valid HTTP header",
                        "Write a name of letters and hyphens and a value on one line");
            }
        }
        return headers;
    }

    /** A credential over plain HTTP can be read by every machine on the way. */
    private void warnOfPlainTextSecret(@Nullable URI url, ConfiguredValues headers) {
        boolean hasCredential = headers.names().stream().anyMatch(TransportReader::isCredential);
        if (url != null
                && hasCredential
                && "http".equalsIgnoreCase(url.getScheme())
                && !ListenAddress.isLoopbackHost(url.getHost())) {
            entry.addFinding(
                    Kind.EXPOSED_SECRET,
                    entry.locationOf("url"),
                    "A credential in headers is sent to another machine without TLS",
                    "Use https");
        }
    }

    private static boolean isCredential(String header) {
        return header.equalsIgnoreCase("cookie") || SecretDetector.isSecretName(header);
    }

    private @Nullable URI readUrl() {
        String text = entry.readString("url");
        if (text == null) {
            return null;
        }
        Location spot = entry.locationOf("url");
        URI url = parseUrl(text);
        if (url == null) {
            entry.addFinding(
                    Kind.WRONG_VALUE,
                    spot,
                    "Not a valid server URL",
                    "Write a complete URL, such as \"https://example.com/mcp\"");
            return null;
        }
        if (entry.readNode("url") instanceof SyntaxNode.StringNode written
                && SecretDetector.hasSecretInUrl(written.value())) {
            entry.addFinding(
                    Kind.EXPOSED_SECRET,
                    spot,
                    "The URL seems to contain a secret; URLs end up in logs",
                    "Pass it in headers if the server supports that");
        }
        String path = url.getPath();
        if (path != null && path.endsWith("/sse") && !entry.has("type")) {
            entry.addFinding(
                    Kind.DOUBTFUL,
                    spot,
                    "Looks like an SSE server, but type is not set",
                    "Write \"type\": \"sse\", or \"type\": \"http\" if it is not");
        }
        return url;
    }

    static @Nullable URI parseUrl(String text) {
        try {
            var url = new URI(text);
            boolean http = "http".equalsIgnoreCase(url.getScheme());
            boolean https = "https".equalsIgnoreCase(url.getScheme());
            boolean whole = url.getHost() != null && url.getRawFragment() == null;
            return (http || https) && whole ? url : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static boolean hasNul(String text) {
        return text.indexOf('\0') >= 0;
    }
}
