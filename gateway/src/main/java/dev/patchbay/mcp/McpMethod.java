package dev.patchbay.mcp;

import static dev.patchbay.mcp.ProtocolVersion.V2024_11_05;
import static dev.patchbay.mcp.ProtocolVersion.V2025_11_25;
import static dev.patchbay.mcp.ProtocolVersion.V2026_07_28;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** A request that a client may send: its name, its first and last version, and its capability. */
public enum McpMethod {
    INITIALIZE("initialize", V2024_11_05, V2025_11_25, null),
    PING("ping", V2024_11_05, V2025_11_25, null),
    DISCOVER("server/discover", V2026_07_28, V2026_07_28, null),
    LISTEN("subscriptions/listen", V2026_07_28, V2026_07_28, null),
    TOOLS_LIST("tools/list", V2024_11_05, V2026_07_28, "tools"),
    TOOLS_CALL("tools/call", V2024_11_05, V2026_07_28, "tools"),
    PROMPTS_LIST("prompts/list", V2024_11_05, V2026_07_28, "prompts"),
    PROMPTS_GET("prompts/get", V2024_11_05, V2026_07_28, "prompts"),
    RESOURCES_LIST("resources/list", V2024_11_05, V2026_07_28, "resources"),
    TEMPLATES_LIST("resources/templates/list", V2024_11_05, V2026_07_28, "resources"),
    RESOURCES_READ("resources/read", V2024_11_05, V2026_07_28, "resources"),
    SUBSCRIBE("resources/subscribe", V2024_11_05, V2025_11_25, "resources"),
    UNSUBSCRIBE("resources/unsubscribe", V2024_11_05, V2025_11_25, "resources"),
    COMPLETE("completion/complete", V2024_11_05, V2026_07_28, "completions"),
    SET_LEVEL("logging/setLevel", V2024_11_05, V2025_11_25, "logging"),
    TASKS_GET("tasks/get", V2025_11_25, V2026_07_28, "tasks"),
    TASKS_RESULT("tasks/result", V2025_11_25, V2025_11_25, "tasks"),
    TASKS_CANCEL("tasks/cancel", V2025_11_25, V2026_07_28, "tasks"),
    TASKS_UPDATE("tasks/update", V2026_07_28, V2026_07_28, "tasks");

    private static final Map<String, McpMethod> BY_NAME = new HashMap<>();

    static {
        for (McpMethod method : values()) {
            BY_NAME.put(method.wireName, method);
        }
    }

    private final String wireName;
    private final ProtocolVersion firstVersion;
    private final ProtocolVersion lastVersion;
    private final @Nullable String capability;

    McpMethod(String wireName, ProtocolVersion first, ProtocolVersion last, @Nullable String gate) {
        this.wireName = wireName;
        this.firstVersion = first;
        this.lastVersion = last;
        this.capability = gate;
    }

    /** The method of that name; null if there is none. */
    public static @Nullable McpMethod of(String wireName) {
        return BY_NAME.get(wireName);
    }

    public String wireName() {
        return wireName;
    }

    /** Whether a version has this method. */
    public boolean isDefinedIn(ProtocolVersion version) {
        return version.isAtLeast(firstVersion) && lastVersion.isAtLeast(version);
    }

    /** The capability that a server declares if it serves this method; null if all serve it. */
    public @Nullable String capability(Era era) {
        // The capability of 2025-11-25 became an extension.
        return era == Era.MODERN && "tasks".equals(capability) ? "extensions" : capability;
    }

    /** Whether a modern result has cache hints. */
    public boolean isCacheable() {
        return switch (this) {
            case DISCOVER,
                    TOOLS_LIST,
                    PROMPTS_LIST,
                    RESOURCES_LIST,
                    TEMPLATES_LIST,
                    RESOURCES_READ ->
                    true;
            case INITIALIZE,
                    PING,
                    LISTEN,
                    TOOLS_CALL,
                    PROMPTS_GET,
                    SUBSCRIBE,
                    UNSUBSCRIBE,
                    COMPLETE,
                    SET_LEVEL,
                    TASKS_GET,
                    TASKS_RESULT,
                    TASKS_CANCEL,
                    TASKS_UPDATE ->
                    false;
        };
    }
}
