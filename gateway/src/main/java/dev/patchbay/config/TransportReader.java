package dev.patchbay.config;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.Findings.Spot;
import dev.patchbay.server.ServerSpec.Transport;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Reads how a server is reached: a command to run, or a URL to call. */
final class TransportReader {
    private enum Type {
        STDIO,
        HTTP,
        SSE
    }

    private static final Map<String, Type> TYPES = types();
    private static final List<String> FOR_A_COMMAND = List.of("args", "env", "cwd");
    private static final List<String> FOR_A_URL = List.of("headers", "oauth");
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private final Fields fields;

    TransportReader(Fields fields) {
        this.fields = fields;
    }

    private static Map<String, Type> types() {
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
        boolean hasCommand = fields.has("command");
        boolean hasUrl = fields.has("url");
        Type type = fields.word("type", TYPES, hasCommand ? Type.STDIO : Type.HTTP);
        String command = command();
        var args = args();
        var env = env();
        String cwd = fields.text("cwd");
        URI url = url();
        var headers = headers();
        var signIn = new SignInReader(fields.fields("oauth")).read();
        if (!fits(type, hasCommand, hasUrl)) {
            return null;
        }
        return switch (type) {
            case STDIO -> command == null ? null : new Transport.Stdio(command, args, env, cwd);
            case HTTP -> url == null ? null : new Transport.Http(url, headers, signIn);
            case SSE -> url == null ? null : new Transport.Sse(url, headers, signIn);
        };
    }

    /** Whether there is either a command or a URL, as the type wants. */
    private boolean fits(Type type, boolean hasCommand, boolean hasUrl) {
        if (hasCommand && hasUrl) {
            fields.add(
                    Kind.CONFLICT,
                    fields.spot("url"),
                    "Both command and url are written",
                    "Keep command for a program to start, or url for a server that runs already");
            return false;
        }
        if (!hasCommand && !hasUrl) {
            fields.add(
                    Kind.MISSING,
                    fields.entry(),
                    "There is neither command nor url",
                    "Write \"command\": \"…\" for a program, or \"url\": \"https://…\"");
            return false;
        }
        if (hasUrl != (type != Type.STDIO)) {
            fields.add(
                    Kind.CONFLICT,
                    fields.spot("type"),
                    "The type does not go with " + (hasUrl ? "a url" : "a command"),
                    hasUrl ? "Write http or sse, or remove type" : "Write stdio, or remove type");
            return false;
        }
        warnOfUnused(hasUrl ? FOR_A_COMMAND : FOR_A_URL, hasUrl);
        return true;
    }

    private void warnOfUnused(List<String> keys, boolean hasUrl) {
        for (String key : keys) {
            if (fields.has(key)) {
                fields.add(
                        Kind.DOUBTFUL,
                        fields.spot(key),
                        "It has no effect for a server with " + (hasUrl ? "a url" : "a command"),
                        "Remove it");
            }
        }
    }

    private @Nullable String command() {
        if (fields.take("command") instanceof Node.Sequence) {
            fields.add(
                    Kind.WRONG_TYPE,
                    fields.spot("command"),
                    "It is a list and should be a text",
                    "Write the program alone, and the rest as \"args\": […]");
            return null;
        }
        String command = fields.text("command");
        if (command != null && (command.isBlank() || hasNul(command))) {
            fields.add(
                    Kind.WRONG_VALUE,
                    fields.spot("command"),
                    "There is no program in it",
                    "Write the name or path of a program");
            return null;
        }
        return command;
    }

    private List<String> args() {
        if (fields.take("args") instanceof Node.Sequence written) {
            String before = "";
            for (int i = 0; i < written.elements().size(); i++) {
                Node element = written.elements().get(i);
                String arg = element instanceof Node.Text text ? text.value() : "";
                int index = i;
                checkArgument(before, arg, () -> fields.spot("args").element(index, element));
                before = arg;
            }
        }
        return fields.texts("args");
    }

    private void checkArgument(String before, String arg, Supplier<Spot> spot) {
        if (hasNul(arg)) {
            String problem = "No argument can have a zero char";
            fields.add(Kind.WRONG_VALUE, spot.get(), problem, "Remove it");
        }
        if (Secrets.inArgument(before, arg)) {
            fields.add(
                    Kind.EXPOSED_SECRET,
                    spot.get(),
                    "It looks like a secret, and every user of the machine can read arguments",
                    "Hand it over in env, if the server can take it from there");
        }
    }

    private Map<String, String> env() {
        var env = fields.textMap("env");
        for (var variable : env.entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty() || name.contains("=") || hasNul(name + variable.getValue())) {
                fields.add(
                        Kind.WRONG_VALUE,
                        fields.spot("env"),
                        Quoted.of(name) + " can be no environment variable",
                        "Write a name without = and a value without a zero char");
            }
        }
        return env;
    }

    private Map<String, String> headers() {
        var headers = fields.textMap("headers");
        for (var header : headers.entrySet()) {
            boolean hasBreak = header.getValue().chars().anyMatch(c -> c < 0x20 && c != '\t');
            if (!HEADER_NAME.matcher(header.getKey()).matches() || hasBreak) {
                fields.add(
                        Kind.WRONG_VALUE,
                        fields.spot("headers"),
                        Quoted.of(header.getKey()) + " can be no HTTP header",
                        "Write a name of letters and hyphens and a value on one line");
            }
        }
        return headers;
    }

    private @Nullable URI url() {
        String text = fields.text("url");
        if (text == null) {
            return null;
        }
        Spot spot = fields.spot("url");
        URI url = parsed(text);
        if (url == null) {
            fields.add(
                    Kind.WRONG_VALUE,
                    spot,
                    "This is no URL of a server",
                    "Write a whole URL, as in \"https://example.com/mcp\"");
            return null;
        }
        if (fields.take("url") instanceof Node.Text written && Secrets.inUrl(written.value())) {
            fields.add(
                    Kind.EXPOSED_SECRET,
                    spot,
                    "It looks as if a secret is part of it, and URLs end up in logs",
                    "Hand it over in headers, if the server can take it from there");
        }
        String path = url.getPath();
        if (path != null && path.endsWith("/sse") && !fields.has("type")) {
            fields.add(
                    Kind.DOUBTFUL,
                    spot,
                    "It looks like a server of the old kind, but no type says so",
                    "Write \"type\": \"sse\", or \"type\": \"http\" if it is not");
        }
        return url;
    }

    static @Nullable URI parsed(String text) {
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
