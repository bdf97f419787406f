import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A server for the training of the AOT cache: one tool, in the era that its argument begins with.
 * It knows the few messages that the gateway sends it, by their look.
 */
final class TrainServer {
    private static final Pattern ID = Pattern.compile("\"id\":(\"[^\"]*\"|[0-9]+)");
    private static final Pattern METHOD = Pattern.compile("\"method\":\"([^\"]*)\"");
    private static final String CAPABILITIES =
            "\"capabilities\":{\"tools\":{\"listChanged\":true}},"
                    + "\"serverInfo\":{\"name\":\"training\",\"version\":\"1\"}";
    private static final String TOOL =
            """
            {"name":"echo","description":"Says what it hears.","inputSchema":{"type":"object",\
            "properties":{"text":{"type":"string","minLength":1,"maxLength":99,"pattern":"^[a-z]"},\
            "count":{"type":"integer","minimum":0,"maximum":9,"default":1},\
            "kind":{"enum":["a","b"]},"list":{"type":"array","items":{"type":"string"}},\
            "either":{"anyOf":[{"type":"boolean"},{"type":"null"}]},\
            "part":{"$ref":"#/$defs/part"}},"required":["text"],"additionalProperties":false,\
            "$defs":{"part":{"type":"object","additionalProperties":{"type":"number"}}}},\
            "annotations":{"readOnlyHint":true}}\
            """;

    private static final String MODERN =
            "\"resultType\":\"complete\",\"ttlMs\":60000,\"cacheScope\":\"private\"";

    private final boolean modern;
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private TrainServer(boolean modern) {
        this.modern = modern;
    }

    public static void main(String[] args) throws IOException {
        new TrainServer(args[0].startsWith("modern")).serve();
    }

    private void serve() throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var id = ID.matcher(line);
            var method = METHOD.matcher(line);
            if (id.find() && method.find()) {
                out.print("{\"jsonrpc\":\"2.0\",\"id\":" + id.group(1) + ",");
                out.print(answer(method.group(1)) + "}\n");
                out.flush();
            }
        }
    }

    private String answer(String method) {
        return switch (method) {
            case "server/discover" ->
                    modern
                            ? result("\"supportedVersions\":[\"2026-07-28\"]," + CAPABILITIES)
                            : "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}";
            case "initialize" -> result("\"protocolVersion\":\"2025-11-25\"," + CAPABILITIES);
            case "tools/list" -> result("\"tools\":[" + TOOL + "]");
            case "tools/call" -> result("\"content\":[{\"type\":\"text\",\"text\":\"heard\"}]");
            default -> result("");
        };
    }

    private String result(String members) {
        var type = modern ? MODERN : "";
        var comma = type.isEmpty() || members.isEmpty() ? "" : ",";
        return "\"result\":{" + type + comma + members + "}";
    }
}
