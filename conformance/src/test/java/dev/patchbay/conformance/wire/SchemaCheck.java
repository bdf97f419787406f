package dev.patchbay.conformance.wire;

import dev.patchbay.conformance.wire.OpenRequests.SentRequest;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.LineCheck;
import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.TrafficLine;
import dev.patchbay.testkit.TrafficLine.Direction;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Checks every message that the gateway emits in a conversation against the schema of its protocol
 * version: the message as such, and its result as the response to the method that was requested. To
 * a client the gateway is a server; to a server it is a client.
 *
 * <p>Ids may be used again, also while they are in use. An answer must then fit one of the requests
 * that are open under its id; one to a request that is not known must be an answer at all.
 *
 * <p>One deviation is meant: an error whose request could not be made out carries a null id, as
 * JSON-RPC wants, which no version of the schema allows. The rest of such an error must fit.
 */
public final class SchemaCheck implements LineCheck {
    /** What the gateway is in a conversation. */
    private enum Role {
        SERVER("Server"),
        CLIENT("Client");

        private final String name;

        Role(String name) {
            this.name = name;
        }
    }

    /** Stack frames, names of classes, and objects printed by their addresses. */
    private static final Pattern INTERNAL_DETAIL =
            Pattern.compile(
                    "\\bat [\\w.$]+\\([\\w.]+:\\d+\\)|\\b(java|jdk|dev\\.patchbay)\\.[a-z]+\\.[A-Z]"
                            + "|\\w@[0-9a-f]{6,8}\\b");

    private static final int VIOLATIONS_MAX = 20;
    private static final Map<String, String> RESULT_DEFINITIONS =
            Map.ofEntries(
                    Map.entry("initialize", "InitializeResult"),
                    Map.entry("ping", "EmptyResult"),
                    Map.entry("logging/setLevel", "EmptyResult"),
                    Map.entry("resources/subscribe", "EmptyResult"),
                    Map.entry("resources/unsubscribe", "EmptyResult"),
                    Map.entry("tools/list", "ListToolsResult"),
                    Map.entry("tools/call", "CallToolResult"),
                    Map.entry("prompts/list", "ListPromptsResult"),
                    Map.entry("prompts/get", "GetPromptResult"),
                    Map.entry("resources/list", "ListResourcesResult"),
                    Map.entry("resources/templates/list", "ListResourceTemplatesResult"),
                    Map.entry("resources/read", "ReadResourceResult"),
                    Map.entry("completion/complete", "CompleteResult"),
                    Map.entry("server/discover", "DiscoverResult"),
                    Map.entry("subscriptions/listen", "SubscriptionsListenResult"),
                    Map.entry("roots/list", "ListRootsResult"),
                    Map.entry("sampling/createMessage", "CreateMessageResult"),
                    Map.entry("elicitation/create", "ElicitResult"),
                    Map.entry("tasks/get", "GetTaskResult"),
                    Map.entry("tasks/result", "GetTaskPayloadResult"),
                    Map.entry("tasks/list", "ListTasksResult"),
                    Map.entry("tasks/cancel", "CancelTaskResult"));

    private final Role role;
    private final OpenRequests openRequests = new OpenRequests();
    private final Set<JsonTree> initializeIds = new HashSet<>();
    private final Set<Long> errorCodes = new TreeSet<>();
    private final List<String> violations = new ArrayList<>();
    private String legacyVersion;
    private boolean modern;

    private SchemaCheck(Role role, String version) {
        this.role = role;
        this.modern = version.equals(ClientMessages.MODERN);
        this.legacyVersion = modern ? WireMatrixCase.NEWEST_LEGACY : version;
    }

    /** A check of what a client hears that speaks this version, until it agrees on another. */
    public static SchemaCheck ofClient(String version) {
        return new SchemaCheck(Role.SERVER, version);
    }

    /** A check of what a client hears whose version shows in its lines. */
    public static SchemaCheck ofClient() {
        return ofClient(ClientMessages.MODERN);
    }

    /** What does not fit in a conversation of this version; nothing is the aim. */
    static List<String> violations(List<TrafficLine> history, String version) {
        var check = ofClient(version);
        for (TrafficLine traffic : history) {
            if (traffic.direction() == Direction.SENT) {
                check.sent(traffic.line());
            } else {
                check.received(traffic.line());
            }
        }
        return check.violations();
    }

    /** What does not fit of all that the gateway said to a scripted server. */
    public static List<String> violations(ServerRecording record) {
        var byProcess = new HashMap<Long, SchemaCheck>();
        for (ServerRecording.Line line : record.lines()) {
            if (line.message().isEmpty()) {
                continue; // cut by the record, or noise of the server
            }
            SchemaCheck check =
                    byProcess.computeIfAbsent(
                            line.pid(),
                            _ -> new SchemaCheck(Role.CLIENT, WireMatrixCase.NEWEST_LEGACY));
            if (line.received()) {
                check.checkFromGateway(line.bytes());
            } else {
                check.recordToGateway(line.bytes());
            }
        }
        return byProcess.values().stream().flatMap(check -> check.violations().stream()).toList();
    }

    /** The codes of all errors that the gateway sent so far. */
    synchronized Set<Long> errorCodes() {
        return Set.copyOf(errorCodes);
    }

    @Override
    public synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    @Override
    public void sent(byte[] line) {
        recordToGateway(line);
    }

    @Override
    public void received(byte[] line) {
        checkFromGateway(line);
    }

    /** Notes a line that went to the gateway, right or wrong. */
    public synchronized void recordToGateway(byte[] line) {
        openRequests.recordLine(line).forEach(this::trackVersion);
    }

    public void recordToGateway(String line) {
        recordToGateway(line.getBytes(StandardCharsets.UTF_8));
    }

    /** Checks a line that came from the gateway; what is not JSON at all is others' to find. */
    public synchronized void checkFromGateway(byte[] line) {
        Optional<JsonTree> written = StrictJson.tryParse(line);
        if (violations.size() >= VIOLATIONS_MAX || written.isEmpty()) {
            return;
        }
        JsonNode tree = ProtocolSchema.parse(line);
        if (tree.isArray()) {
            for (int i = 0; i < tree.size(); i++) {
                checkMessage(tree.get(i), written.get().at(i));
            }
        } else {
            checkMessage(tree, written.get());
        }
    }

    public void checkFromGateway(String line) {
        checkFromGateway(line.getBytes(StandardCharsets.UTF_8));
    }

    private void checkMessage(JsonNode message, JsonTree written) {
        trackVersion(written);
        boolean ofModern = isModern(written);
        if (message.has("method")) {
            checkCall(schema(ofModern), ofModern, message);
            return;
        }
        Set<SentRequest> requests = openRequests.complete(written);
        if (requests.isEmpty()) {
            requests = Set.of(new SentRequest("", ofModern));
        }
        boolean failed = message.has("error");
        violations.addAll(
                fewestViolations(
                        requests,
                        asked ->
                                failed
                                        ? errorViolations(asked, message)
                                        : resultViolations(asked, message)));
        if (failed) {
            checkErrorDetails(message);
        }
    }

    private ProtocolSchema schema(boolean ofModern) {
        return ProtocolSchema.of(ofModern ? ClientMessages.MODERN : legacyVersion);
    }

    private static List<String> fewestViolations(
            Set<SentRequest> requests, Function<SentRequest, List<String>> faultsOf) {
        List<String> least = List.of();
        for (SentRequest request : requests) {
            least = faultsOf.apply(request);
            if (least.isEmpty()) {
                return least;
            }
        }
        return least;
    }

    /** Learns from a greeting, and from its answer, on which version the two agreed. */
    private void trackVersion(JsonTree message) {
        if (isMethod(message, "initialize") && !claimsModern(message)) {
            message.member("id").ifPresent(initializeIds::add);
        } else if (!message.has("method")
                && message.member("id").filter(initializeIds::remove).isPresent()) {
            message.findAt("result", "protocolVersion")
                    .map(JsonTree::asText)
                    .filter(ClientMessages.LEGACY::contains)
                    .ifPresent(
                            version -> {
                                legacyVersion = version;
                                modern = false;
                            });
        } else if (role == Role.CLIENT && claimsModern(message)) {
            modern = true;
        }
    }

    private boolean isModern(JsonTree message) {
        boolean listened =
                message.findAt("params", "_meta", "io.modelcontextprotocol/subscriptionId")
                        .isPresent();
        return modern ? !isMethod(message, "initialize") : listened || claimsModern(message);
    }

    static boolean claimsModern(JsonTree message) {
        return message.findAt("params", "_meta", ClientMessages.VERSION_KEY).isPresent();
    }

    private static boolean isMethod(JsonTree message, String method) {
        return message instanceof JsonTree.Obj
                && message.member("method").equals(Optional.of(new JsonTree.Str(method)));
    }

    private void checkCall(ProtocolSchema schema, boolean ofModern, JsonNode message) {
        String kind = message.has("id") ? "Request" : "Notification";
        violations.addAll(schema.violations(message, "JSONRPC" + kind));
        if (!ofModern || !isTaskMethod(message.get("method").asString())) {
            violations.addAll(schema.violations(message, role.name + kind));
        }
    }

    /** In the modern era tasks are an extension, of which the schema says nothing. */
    private static boolean isTaskMethod(String method) {
        return method.startsWith("tasks/") || method.startsWith("notifications/tasks");
    }

    private List<String> errorViolations(SentRequest request, JsonNode message) {
        JsonNode whole = message;
        if (message.has("id") && message.get("id").isNull()) {
            whole = ((ObjectNode) message.deepCopy()).put("id", 0);
        }
        ProtocolSchema schema = schema(request.modern());
        return schema.violations(whole, schema.definition("JSONRPCErrorResponse", "JSONRPCError"));
    }

    /** What an error tells beyond what the schema knows of. */
    private void checkErrorDetails(JsonNode message) {
        JsonNode error = message.get("error");
        if (error.has("code")) {
            errorCodes.add(error.get("code").asLong());
        }
        if (error.has("message") && error.get("message").asString().isEmpty()) {
            violations.add("An error without a message: " + message);
        }
        if (role == Role.SERVER && INTERNAL_DETAIL.matcher(error.toString()).find()) {
            violations.add("An error shows the inside of the program: " + message);
        }
    }

    private List<String> resultViolations(SentRequest request, JsonNode message) {
        ProtocolSchema schema = schema(request.modern());
        String name = schema.definition("JSONRPCResultResponse", "JSONRPCResponse");
        var wrong = new ArrayList<>(schema.violations(message, name));
        JsonNode result = message.get("result");
        if (result != null && result.isObject()) {
            resultDefinition(schema, request, result)
                    .ifPresent(definition -> wrong.addAll(schema.violations(result, definition)));
        }
        return wrong;
    }

    /** What the result of a request must be, where the schema knows the method. */
    private static Optional<String> resultDefinition(
            ProtocolSchema schema, SentRequest request, JsonNode result) {
        String type = result.has("resultType") ? result.get("resultType").asString() : "";
        boolean begins = result.has("task") && !result.has("content");
        if (type.equals("input_required")) {
            return Optional.of("InputRequiredResult");
        }
        if (request.modern() && (type.equals("task") || isTaskMethod(request.method()))) {
            return Optional.empty();
        }
        if (begins && schema.defines("CreateTaskResult")) {
            return Optional.of("CreateTaskResult");
        }
        return Optional.ofNullable(RESULT_DEFINITIONS.get(request.method()));
    }
}
