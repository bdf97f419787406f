package dev.patchbay.testkit;

import java.util.List;
import java.util.Optional;

/** How a {@link ScriptedServer} greets: initialize, server/discover, and which era it accepts. */
final class ScriptedHandshake {
    private static final String SUPPORTED = "\"supported\":[\"" + ClientMessages.MODERN + "\"]";

    private final ScriptedServerOptions options;
    private final ScriptedResponses responses;
    private final String era;
    private final List<String> versions;
    private final String capabilities;
    private final String modernCapabilities;
    private boolean onInitialized;

    ScriptedHandshake(
            ScriptedServerOptions options,
            ScriptedResponses answers,
            ScriptedLists lists,
            ScriptedTools tools) {
        this.options = options;
        this.responses = answers;
        this.era = options.text("era", "legacy");
        this.versions = options.list("versions", String.join(",", ClientMessages.LEGACY));
        boolean tasks = tools.hasTasks();
        this.capabilities =
                options.text(
                        "capabilities",
                        capabilities(lists, tasks ? ScriptedTasks.capability(false) : ""));
        this.modernCapabilities =
                options.text(
                        "capabilities",
                        capabilities(lists, tasks ? ScriptedTasks.capability(true) : ""));
    }

    private static String capabilities(ScriptedLists lists, String more) {
        return "{\"tools\":{\"listChanged\":true},\"logging\":{}"
                + (lists.hasResources()
                        ? ",\"resources\":{\"listChanged\":true,\"subscribe\":true}"
                        : "")
                + (lists.hasPrompts() ? ",\"prompts\":{\"listChanged\":true}" : "")
                + more
                + "}";
    }

    /** Answers a request that this era, or this moment, does not allow; says whether it did. */
    boolean rejectIfNotAllowed(ScriptedRequest request) {
        String method = request.method();
        if (request.modern()) {
            return rejectIfMetaInvalid(request);
        }
        if (era.equals("modern")) {
            if (method.equals("initialize")) {
                responses.sendError(
                        request, -32022, "Unsupported protocol version", supportedVersionsData(""));
            } else {
                responses.sendError(request, -32602, "Missing protocol version in _meta");
            }
            return true;
        }
        boolean early = options.isSet("strict") && !onInitialized;
        if (early && !method.equals("initialize") && !method.equals("ping")) {
            responses.sendError(request, -32600, "Not initialized");
            return true;
        }
        return false;
    }

    private boolean rejectIfMetaInvalid(ScriptedRequest request) {
        Optional<JsonTree> version = request.param("_meta", ClientMessages.VERSION_KEY);
        String asked =
                version.isPresent() && version.get() instanceof JsonTree.Str s ? s.value() : "";
        if (asked.isEmpty() || request.param("_meta", ClientMessages.CAPABILITIES_KEY).isEmpty()) {
            responses.sendError(request, -32602, "Incomplete _meta");
            return true;
        }
        if (!asked.equals(ClientMessages.MODERN)) {
            String requested = ",\"requested\":" + StrictJson.quote(asked);
            responses.sendError(
                    request,
                    -32022,
                    "Unsupported protocol version",
                    supportedVersionsData(requested));
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
            responses.sendError(request, -32601, "Method not found");
            return true;
        }
        return false;
    }

    void initialize(ScriptedRequest request) {
        Optional<JsonTree> version = request.param("protocolVersion");
        String asked =
                version.isPresent() && version.get() instanceof JsonTree.Str s ? s.value() : "";
        String agreed = versions.contains(asked) ? asked : versions.get(versions.size() - 1);
        responses.sendResult(
                request,
                "\"protocolVersion\":"
                        + StrictJson.quote(agreed)
                        + ",\"capabilities\":"
                        + capabilities
                        + ",\"serverInfo\":"
                        + responses.serverInfo()
                        + instructions());
    }

    private String instructions() {
        return options.has("instructions")
                ? ",\"instructions\":" + StrictJson.quote(options.text("instructions", ""))
                : "";
    }

    void onInitialized() {
        onInitialized = true;
    }

    /** Answers server/discover; says whether a session may follow. */
    boolean discover(ScriptedRequest request) {
        if (era.equals("legacy")) {
            responses.sendError(request, -32601, "Method not found: server/discover");
            return false;
        }
        responses.sendCacheableResult(
                request,
                "\"supportedVersions\":[\""
                        + ClientMessages.MODERN
                        + "\"],\"capabilities\":"
                        + modernCapabilities
                        + instructions());
        return true;
    }

    private static String supportedVersionsData(String more) {
        return "{" + SUPPORTED + more + "}";
    }
}
