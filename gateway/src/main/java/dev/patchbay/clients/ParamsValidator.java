package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;

import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.LogLevel;
import dev.patchbay.mcp.McpMethod;
import dev.patchbay.mcp.MetaKeys;

import org.jspecify.annotations.Nullable;

/** Checks the params of requests. */
final class ParamsValidator {
    private ParamsValidator() {}

    static void validate(McpMethod method, Json params) {
        Json meta = params.member(MetaKeys.META);
        require(meta == null || meta.isObject(), method, "_meta to be an object");
        switch (method) {
            case TOOLS_LIST, PROMPTS_LIST, RESOURCES_LIST, TEMPLATES_LIST ->
                    require(isAbsentOrText(params, "cursor"), method, "cursor to be a string");
            case TOOLS_CALL, PROMPTS_GET -> {
                require(params.memberText("name") != null, method, "name, a string");
                Json arguments = params.member("arguments");
                require(
                        arguments == null || arguments.isObject(),
                        method,
                        "arguments to be an object");
            }
            case RESOURCES_READ, SUBSCRIBE, UNSUBSCRIBE ->
                    require(params.memberText("uri") != null, method, "uri, a string");
            case COMPLETE -> {
                require(isObject(params.member("ref")), method, "ref, an object");
                require(isObject(params.member("argument")), method, "argument, an object");
            }
            case SET_LEVEL -> requireLevel(params);
            case LISTEN ->
                    require(
                            isObject(params.member("notifications")),
                            method,
                            "notifications, an object");
            case TASKS_GET, TASKS_RESULT, TASKS_CANCEL ->
                    require(params.memberText("taskId") != null, method, "taskId, a string");
            case TASKS_UPDATE -> {
                require(params.memberText("taskId") != null, method, "taskId, a string");
                require(
                        isObject(params.member("inputResponses")),
                        method,
                        "inputResponses, an object");
            }
            case INITIALIZE, PING, DISCOVER -> {}
        }
    }

    static String requireLevel(Json params) {
        String level = params.memberText("level");
        if (level == null || !LogLevel.isValid(level)) {
            throw new RpcException(INVALID_PARAMS, "Invalid params: level is no log level");
        }
        return level;
    }

    private static boolean isObject(@Nullable Json value) {
        return value != null && value.isObject();
    }

    private static boolean isAbsentOrText(Json params, String name) {
        Json member = params.member(name);
        return member == null || member.isString();
    }

    private static void require(boolean holds, McpMethod method, String what) {
        if (!holds) {
            throw new RpcException(
                    INVALID_PARAMS, "Invalid params: " + method.wireName() + " needs " + what);
        }
    }
}
