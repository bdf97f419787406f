package dev.patchbay.testkit;

import java.util.List;
import java.util.Optional;

/** How a {@link ScriptedServer} greets: initialize, server/discover, and which era it accepts. */
final class ServerHandshake {
    private static final String SUPPORTED = "\"supported\":[\"" + Messages.MODERN + "\"]";

    private final ServerOptions options;
    private final ServerAnswers answers;
    private final String era;
    private final List<String> versions;
    private final String capabilities;
    private final String modernCapabilities;
    private boolean initialized;

    ServerHandshake(
            ServerOptions options, ServerAnswers answers, ServerLists lists, ServerTools tools) {
        this.options = options;
        this.answers = answers;
        this.era = options.text("era", "legacy");
        this.versions = options.list("versions", String.join(",", Messages.LEGACY));
        boolean tasks = tools.hasTasks();
        this.capabilities =
                options.text(
                        "capabilities",
                        capabilities(lists, tasks ? ServerTasks.capability(false) : ""));
        this.modernCapabilities =
                options.text(
                        "capabilities",
                        capabilities(lists, tasks ? ServerTasks.capability(true) : ""));
    }

    private static String capabilities(ServerLists lists, String more) {
        return "{\"tools\":{\"listChanged\":true},\"logging\":{}"
                + (lists.hasResources()
                        ? ",\"resources\":{\"listChanged\":true,\"subscribe\":true}"
                        : "")
                + (lists.hasPrompts() ? ",\"prompts\":{\"listChanged\":true}" : "")
                + more
                + "}";
    }

    /** Answers a request that this era, or this moment, does not allow; says whether it did. */
    boolean refuses(ServerRequest request) {
        String method = request.method();
        if (request.modern()) {
            return refusesClaim(request);
        }
        if (era.equals("modern")) {
            if (method.equals("initialize")) {
                answers.error(request, -32022, "Unsupported protocol version", data(""));
            } else {
                answers.error(request, -32602, "Missing protocol version in _meta");
            }
            return true;
        }
        boolean early = options.flag("strict") && !initialized;
        if (early && !method.equals("initialize") && !method.equals("ping")) {
            answers.error(request, -32600, "Not initialized");
            return true;
        }
        return false;
    }

    private boolean refusesClaim(ServerRequest request) {
        Optional<JsonTree> version = request.param("_meta", Messages.VERSION_KEY);
        String asked =
                version.isPresent() && version.get() instanceof JsonTree.Str s ? s.value() : "";
        if (asked.isEmpty() || request.param("_meta", Messages.CAPABILITIES_KEY).isEmpty()) {
            answers.error(request, -32602, "Incomplete _meta");
            return true;
        }
        if (!asked.equals(Messages.MODERN)) {
            String requested = ",\"requested\":" + StrictJson.quote(asked);
            answers.error(request, -32022, "Unsupported protocol version", data(requested));
            return true;
        }
        List<String> gone =
                List.of(
                        "initialize",
                        "ping",
                        "logging/setLevel",
                        "resources/subscribe",
                        "resources/unsubscribe");
        if (gone.contains(request.method())) {
            answers.error(request, -32601, "Method not found");
            return true;
        }
        return false;
    }

    void initialize(ServerRequest request) {
        Optional<JsonTree> version = request.param("protocolVersion");
        String asked =
                version.isPresent() && version.get() instanceof JsonTree.Str s ? s.value() : "";
        String agreed = versions.contains(asked) ? asked : versions.get(versions.size() - 1);
        answers.result(
                request,
                "\"protocolVersion\":"
                        + StrictJson.quote(agreed)
                        + ",\"capabilities\":"
                        + capabilities
                        + ",\"serverInfo\":"
                        + answers.info()
                        + instructions());
    }

    private String instructions() {
        return options.has("instructions")
                ? ",\"instructions\":" + StrictJson.quote(options.text("instructions", ""))
                : "";
    }

    void initialized() {
        initialized = true;
    }

    /** Answers server/discover; says whether a session may follow. */
    boolean discover(ServerRequest request) {
        if (era.equals("legacy")) {
            answers.error(request, -32601, "Method not found: server/discover");
            return false;
        }
        answers.cacheable(
                request,
                "\"supportedVersions\":[\""
                        + Messages.MODERN
                        + "\"],\"capabilities\":"
                        + modernCapabilities
                        + instructions());
        return true;
    }

    private static String data(String more) {
        return "{" + SUPPORTED + more + "}";
    }
}
