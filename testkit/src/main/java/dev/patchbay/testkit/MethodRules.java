package dev.patchbay.testkit;

import dev.patchbay.testkit.LineOracle.Session;

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

    private final Session session;
    private final Set<String> tools;

    MethodRules(Session session, Set<String> tools) {
        this.session = session;
        this.tools = tools;
    }

    /** What may come back: these codes, and a result or not, or nothing for now. */
    record Outcome(Set<Integer> codes, boolean result, boolean silence) {
        static Outcome errors(Set<Integer> codes) {
            return new Outcome(codes, false, false);
        }

        static Outcome error(int code) {
            return errors(Set.of(code));
        }

        static Outcome success() {
            return new Outcome(Set.of(), true, false);
        }

        static Outcome resultOr(Integer... codes) {
            return new Outcome(Set.of(codes), true, false);
        }
    }

    static boolean claimsModern(JsonTree message) {
        return message.find("params", "_meta", Messages.VERSION_KEY).isPresent();
    }

    /** Whether some era knows the method. */
    static boolean known(String method) {
        return BOTH_ERAS.contains(method)
                || LEGACY_ONLY.contains(method)
                || MODERN_ONLY.contains(method)
                || TASKS.contains(method);
    }

    Outcome outcome(JsonTree message, String method) {
        JsonTree params = message.member("params").orElse(null);
        if (params instanceof JsonTree.Arr) {
            return positional(method);
        }
        return claimsModern(message) ? modern(message, method) : legacy(message, method);
    }

    /** Params by position: always wrong, though another fault may be named first. */
    private Outcome positional(String method) {
        var codes = new TreeSet<>(Set.of(-32602));
        if (!known(method) || MODERN_ONLY.contains(method) || TASKS.contains(method)) {
            codes.add(-32601);
        }
        if (!session.initialized() || method.equals("initialize")) {
            codes.add(-32600);
        }
        return Outcome.errors(codes);
    }

    private Outcome modern(JsonTree message, String method) {
        var codes = new TreeSet<Integer>();
        JsonTree version = message.at("params", "_meta", Messages.VERSION_KEY);
        if (!(version instanceof JsonTree.Str text)) {
            codes.add(-32602);
        } else if (!text.value().equals(Messages.MODERN)) {
            codes.add(-32022);
        }
        Optional<JsonTree> able = message.find("params", "_meta", Messages.CAPABILITIES_KEY);
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
            return Outcome.errors(codes);
        }
        return switch (method) {
            case "server/discover" -> Outcome.success();
            case "subscriptions/listen" -> new Outcome(Set.of(-32601, -32602), true, true);
            default -> common(message, method);
        };
    }

    private Outcome legacy(JsonTree message, String method) {
        if (method.equals("ping")) {
            return Outcome.success();
        }
        if (method.equals("initialize")) {
            return session.initialized() ? Outcome.error(-32600) : initialize(message);
        }
        if (!session.initialized()) {
            var codes = new TreeSet<>(Set.of(-32600));
            if (session == Session.MODERN || MODERN_ONLY.contains(method)) {
                codes.add(-32602);
            }
            if (!BOTH_ERAS.contains(method) && !LEGACY_ONLY.contains(method)) {
                codes.add(-32601);
            }
            return Outcome.errors(codes);
        }
        if (MODERN_ONLY.contains(method)) {
            return Outcome.errors(Set.of(-32601, -32602));
        }
        return known(method) ? common(message, method) : Outcome.error(-32601);
    }

    private static Outcome initialize(JsonTree message) {
        Optional<JsonTree> version = message.find("params", "protocolVersion");
        if (version.isEmpty() || !(version.get() instanceof JsonTree.Str)) {
            return Outcome.error(-32602);
        }
        boolean complete =
                message.find("params", "capabilities").orElse(null) instanceof JsonTree.Obj
                        && message.find("params", "clientInfo", "name").orElse(null)
                                instanceof JsonTree.Str
                        && message.find("params", "clientInfo", "version").orElse(null)
                                instanceof JsonTree.Str;
        return complete ? Outcome.success() : Outcome.resultOr(-32602);
    }

    /** The methods both eras have, asked in a session or with a whole claim. */
    private Outcome common(JsonTree message, String method) {
        return switch (method) {
            case "tools/list" -> {
                boolean plain = !message.find("params", "cursor").isPresent();
                JsonTree meta = message.find("params", "_meta").orElse(null);
                yield plain && (meta == null || meta instanceof JsonTree.Obj)
                        ? Outcome.success()
                        : Outcome.resultOr(-32602);
            }
            case "tools/call" -> call(message);
            default -> Outcome.resultOr(-32601, -32602, -32603, -32002);
        };
    }

    private Outcome call(JsonTree message) {
        @Nullable JsonTree name = message.find("params", "name").orElse(null);
        @Nullable JsonTree arguments = message.find("params", "arguments").orElse(null);
        boolean shaped = arguments == null || arguments instanceof JsonTree.Obj;
        if (!shaped || !(name instanceof JsonTree.Str text) || !tools.contains(text.value())) {
            return Outcome.error(-32602);
        }
        return Outcome.resultOr(Expectation.ANY_ERROR);
    }
}
