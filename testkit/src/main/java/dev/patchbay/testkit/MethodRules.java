package dev.patchbay.testkit;

import dev.patchbay.testkit.LineOracle.SessionState;

import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What a well-formed request may be answered with, by its method, its params and the session. */
final class MethodRules {
    private static final Set<String> BOTH_ERAS =
            Set.of(
                    "tools/list",
                    "tools/call",
                    "resources/list",
                    "resources/templates/list",
                    "resources/read",
                    "prompts/list",
                    "prompts/get",
                    "completion/complete");
    private static final Set<String> LEGACY_ONLY =
            Set.of(
                    "initialize",
                    "ping",
                    "logging/setLevel",
                    "resources/subscribe",
                    "resources/unsubscribe");
    private static final Set<String> MODERN_ONLY =
            Set.of("server/discover", "subscriptions/listen");
    private static final Set<String> TASKS =
            Set.of("tasks/get", "tasks/result", "tasks/list", "tasks/cancel", "tasks/update");

    private final SessionState session;
    private final Set<String> tools;

    MethodRules(SessionState session, Set<String> tools) {
        this.session = session;
        this.tools = tools;
    }

    /** What may come back: these codes, and a result or not, or nothing for now. */
    record AllowedResponse(Set<Integer> codes, boolean mayBeResult, boolean mayBeAbsent) {
        static AllowedResponse errors(Set<Integer> codes) {
            return new AllowedResponse(codes, false, false);
        }

        static AllowedResponse error(int code) {
            return errors(Set.of(code));
        }

        static AllowedResponse success() {
            return new AllowedResponse(Set.of(), true, false);
        }

        static AllowedResponse resultOr(Integer... codes) {
            return new AllowedResponse(Set.of(codes), true, false);
        }
    }

    static boolean claimsModern(JsonTree message) {
        return message.findAt("params", "_meta", ClientMessages.VERSION_KEY).isPresent();
    }

    /** Whether some era knows the method. */
    static boolean isKnown(String method) {
        return BOTH_ERAS.contains(method)
                || LEGACY_ONLY.contains(method)
                || MODERN_ONLY.contains(method)
                || TASKS.contains(method);
    }

    AllowedResponse allowedResponse(JsonTree message, String method) {
        JsonTree params = message.member("params").orElse(null);
        if (params instanceof JsonTree.Arr) {
            return positional(method);
        }
        return claimsModern(message) ? modern(message, method) : legacy(message, method);
    }

    /** Params by position: always wrong, though another fault may be named first. */
    private AllowedResponse positional(String method) {
        var codes = new TreeSet<>(Set.of(-32602));
        if (!isKnown(method) || MODERN_ONLY.contains(method) || TASKS.contains(method)) {
            codes.add(-32601);
        }
        if (!session.isInitialized() || method.equals("initialize")) {
            codes.add(-32600);
        }
        return AllowedResponse.errors(codes);
    }

    private AllowedResponse modern(JsonTree message, String method) {
        var codes = new TreeSet<Integer>();
        JsonTree version = message.at("params", "_meta", ClientMessages.VERSION_KEY);
        if (!(version instanceof JsonTree.Str text)) {
            codes.add(-32602);
        } else if (!text.value().equals(ClientMessages.MODERN)) {
            codes.add(-32022);
        }
        Optional<JsonTree> able =
                message.findAt("params", "_meta", ClientMessages.CAPABILITIES_KEY);
        if (able.isEmpty() || !(able.get() instanceof JsonTree.Obj)) {
            codes.add(-32602);
        }
        boolean exists = BOTH_ERAS.contains(method) || MODERN_ONLY.contains(method);
        if (!exists) {
            codes.add(-32601);
            if (TASKS.contains(method)) {
                codes.add(-32021);
                codes.add(-32602);
            }
        }
        if (!codes.isEmpty()) {
            return AllowedResponse.errors(codes);
        }
        return switch (method) {
            case "server/discover" -> AllowedResponse.success();
            case "subscriptions/listen" -> new AllowedResponse(Set.of(-32601, -32602), true, true);
            default -> common(message, method);
        };
    }

    private AllowedResponse legacy(JsonTree message, String method) {
        if (method.equals("ping")) {
            return AllowedResponse.success();
        }
        if (method.equals("initialize")) {
            return session.isInitialized() ? AllowedResponse.error(-32600) : initialize(message);
        }
        if (!session.isInitialized()) {
            var codes = new TreeSet<>(Set.of(-32600));
            if (session == SessionState.MODERN || MODERN_ONLY.contains(method)) {
                codes.add(-32602);
            }
            if (!BOTH_ERAS.contains(method) && !LEGACY_ONLY.contains(method)) {
                codes.add(-32601);
            }
            return AllowedResponse.errors(codes);
        }
        if (MODERN_ONLY.contains(method)) {
            return AllowedResponse.errors(Set.of(-32601, -32602));
        }
        return isKnown(method) ? common(message, method) : AllowedResponse.error(-32601);
    }

    private static AllowedResponse initialize(JsonTree message) {
        Optional<JsonTree> version = message.findAt("params", "protocolVersion");
        if (version.isEmpty() || !(version.get() instanceof JsonTree.Str)) {
            return AllowedResponse.error(-32602);
        }
        boolean complete =
                message.findAt("params", "capabilities").orElse(null) instanceof JsonTree.Obj
                        && message.findAt("params", "clientInfo", "name").orElse(null)
                                instanceof JsonTree.Str
                        && message.findAt("params", "clientInfo", "version").orElse(null)
                                instanceof JsonTree.Str;
        return complete ? AllowedResponse.success() : AllowedResponse.resultOr(-32602);
    }

    /** The methods both eras have, asked in a session or with a whole claim. */
    private AllowedResponse common(JsonTree message, String method) {
        return switch (method) {
            case "tools/list" -> {
                boolean plain = !message.findAt("params", "cursor").isPresent();
                JsonTree meta = message.findAt("params", "_meta").orElse(null);
                yield plain && (meta == null || meta instanceof JsonTree.Obj)
                        ? AllowedResponse.success()
                        : AllowedResponse.resultOr(-32602);
            }
            case "tools/call" -> call(message);
            default -> AllowedResponse.resultOr(-32601, -32602, -32603, -32002);
        };
    }

    private AllowedResponse call(JsonTree message) {
        @Nullable JsonTree name = message.findAt("params", "name").orElse(null);
        @Nullable JsonTree arguments = message.findAt("params", "arguments").orElse(null);
        boolean shaped = arguments == null || arguments instanceof JsonTree.Obj;
        if (!shaped || !(name instanceof JsonTree.Str text) || !tools.contains(text.value())) {
            return AllowedResponse.error(-32602);
        }
        return AllowedResponse.resultOr(ExpectedResponse.ANY_ERROR);
    }
}
