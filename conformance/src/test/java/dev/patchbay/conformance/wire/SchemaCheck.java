package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.Messages;
import dev.patchbay.testkit.StrictJson;
import dev.patchbay.testkit.Traffic;
import dev.patchbay.testkit.Traffic.Direction;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every line received against the official schema of its version: the message as such, and its
 * result as the answer to the method that was asked.
 *
 * <p>One deviation is meant: an error whose request could not be made out carries a null id, as
 * JSON-RPC wants, which no version of the schema allows. The rest of such an error must fit.
 */
final class SchemaCheck {
    private static final int FAULTS_MAX = 20;
    private static final Map<String, String> RESULTS =
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
                    Map.entry("subscriptions/listen", "SubscriptionsListenResult"));

    private final String version;
    private final Map<JsonTree, Asked> asked = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    /** A request that was sent. */
    private record Asked(String method, boolean modern) {}

    private SchemaCheck(String version) {
        this.version = version;
    }

    /** What does not fit in a conversation of this version; nothing is the aim. */
    static List<String> faults(List<Traffic> history, String version) {
        var check = new SchemaCheck(version);
        for (Traffic traffic : history) {
            if (traffic.direction() == Direction.SENT) {
                check.sent(traffic.line());
            } else if (check.faults.size() < FAULTS_MAX) {
                check.received(traffic.line());
            }
        }
        return check.faults;
    }

    /** The codes of all errors received. */
    static Set<Long> codes(List<Traffic> history) {
        var codes = new TreeSet<Long>();
        for (Traffic traffic : history) {
            if (traffic.direction() == Direction.RECEIVED) {
                StrictJson.tryParse(traffic.line())
                        .flatMap(message -> message.find("error", "code"))
                        .ifPresent(code -> codes.add(code.integer()));
            }
        }
        return codes;
    }

    private void sent(byte[] line) {
        StrictJson.tryParse(line)
                .ifPresent(
                        message -> {
                            if (message instanceof JsonTree.Arr batch) {
                                batch.items().forEach(this::sent);
                            } else {
                                sent(message);
                            }
                        });
    }

    private void sent(JsonTree message) {
        if (message.has("id") && message.member("method").orElse(null) instanceof JsonTree.Str m) {
            boolean modern = message.find("params", "_meta", Messages.VERSION_KEY).isPresent();
            asked.put(message.at("id"), new Asked(m.value(), modern));
        }
    }

    private void received(byte[] line) {
        JsonNode tree = OfficialSchema.tree(line);
        JsonTree written = StrictJson.parse(line);
        if (tree.isArray()) {
            for (int i = 0; i < tree.size(); i++) {
                message(tree.get(i), written.at(i));
            }
        } else {
            message(tree, written);
        }
    }

    private void message(JsonNode message, JsonTree written) {
        Asked request = written.member("id").map(asked::get).orElse(null);
        boolean modern = request == null ? version.equals(Messages.MODERN) : request.modern();
        String own = version.equals(Messages.MODERN) ? Cell.NEWEST_LEGACY : version;
        OfficialSchema schema = OfficialSchema.of(modern ? Messages.MODERN : own).orElse(null);
        if (schema == null) {
            return;
        }
        if (message.has("method")) {
            called(schema, message);
        } else if (message.has("error")) {
            error(schema, (ObjectNode) message);
        } else {
            String name = schema.definition("JSONRPCResultResponse", "JSONRPCResponse");
            faults.addAll(schema.faults(message, name));
            if (request != null && RESULTS.containsKey(request.method())) {
                result(schema, message.get("result"), request.method());
            }
        }
    }

    private void called(OfficialSchema schema, JsonNode message) {
        String kind = message.has("id") ? "Request" : "Notification";
        faults.addAll(schema.faults(message, "JSONRPC" + kind));
        faults.addAll(schema.faults(message, "Server" + kind));
    }

    private void error(OfficialSchema schema, ObjectNode message) {
        if (message.has("id") && message.get("id").isNull()) {
            message.put("id", 0);
        }
        String name = schema.definition("JSONRPCErrorResponse", "JSONRPCError");
        faults.addAll(schema.faults(message, name));
        if (message.get("error").get("message").asString().isEmpty()) {
            faults.add("An error without a message: " + message);
        }
    }

    private void result(OfficialSchema schema, JsonNode result, String method) {
        boolean asksBack =
                result.has("resultType")
                        && result.get("resultType").asString().equals("input_required");
        String name = asksBack ? "InputRequiredResult" : RESULTS.get(method);
        faults.addAll(schema.faults(result, name));
    }
}
