package dev.patchbay.clients;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.McpErrorCodes;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/** Converts questions of servers to the format of each era. */
final class InputRequests {
    private static final String ELICITATION = "elicitation/create";
    private static final String ELICITATION_ID = "elicitationId";

    private InputRequests() {}

    /** Whether a client with these capabilities can be asked this question. */
    static boolean isSupported(String method, Json params, Json capabilities) {
        return switch (method) {
            case "roots/list" -> capabilities.member("roots") != null;
            case "sampling/createMessage" -> {
                Json sampling = capabilities.member("sampling");
                boolean tools =
                        params.member("tools") != null || params.member("toolChoice") != null;
                yield sampling != null && (!tools || sampling.member("tools") != null);
            }
            case ELICITATION -> {
                Json elicitation = capabilities.member("elicitation");
                yield elicitation != null
                        && (isUrl(params) ? supportsUrls(elicitation) : supportsForms(elicitation));
            }
            default -> false;
        };
    }

    /** Whether a client with these capabilities can be asked anything. */
    static boolean isAnySupported(Json capabilities) {
        return capabilities.member("elicitation") != null
                || capabilities.member("sampling") != null
                || capabilities.member("roots") != null;
    }

    private static boolean isUrl(Json params) {
        return "url".equals(params.memberText("mode"));
    }

    private static boolean supportsUrls(Json elicitation) {
        return elicitation.member("url") != null;
    }

    /** A client that names no mode accepts forms. */
    private static boolean supportsForms(Json elicitation) {
        return elicitation.member("form") != null || !supportsUrls(elicitation);
    }

    /** The question for a legacy client, where a URL has an id. */
    static Json toLegacy(String method, Json params) {
        boolean bare =
                method.equals(ELICITATION)
                        && isUrl(params)
                        && params.member(ELICITATION_ID) == null;
        return bare
                ? MemberPatch.with(
                        params, ELICITATION_ID, Json.string(UUID.randomUUID().toString()))
                : params;
    }

    /** The question for a modern client, where a URL has no id. */
    static Json toModern(String method, Json params) {
        return method.equals(ELICITATION) ? MemberPatch.without(params, ELICITATION_ID) : params;
    }

    /** The id of the URL that a question of the legacy era is about; null if it is about none. */
    static @Nullable String elicitationId(Json params) {
        return isUrl(params) ? params.memberText(ELICITATION_ID) : null;
    }

    /**
     * What a modern client is asked where a legacy server refuses a call until its user has been at
     * some URLs: the client comes again when that is done, and the call is made anew.
     */
    static Json urlInputRequired(RpcError refusal, Json capabilities) {
        Json elicitation = capabilities.member("elicitation");
        if (elicitation == null || !supportsUrls(elicitation)) {
            throw new RpcException(
                    new RpcError(
                            McpErrorCodes.MISSING_CLIENT_CAPABILITY,
                            refusal.message(),
                            Json.of("{\"requiredCapabilities\":{\"elicitation\":{\"url\":{}}}}")));
        }
        Json data = refusal.data();
        Json listed = data == null ? null : data.member("elicitations");
        if (listed == null || !listed.isArray() || listed.elements().isEmpty()) {
            throw new RpcException(RpcError.INTERNAL_ERROR, refusal.message());
        }
        var writer = new JsonWriter().beginObject().member("resultType", "input_required");
        writer.name("inputRequests").beginObject();
        int count = 0;
        for (Json params : listed.elements()) {
            count++;
            writer.name("u" + count)
                    .beginObject()
                    .member("method", ELICITATION)
                    .member("params", toModern(ELICITATION, params))
                    .endObject();
        }
        return writer.endObject().endObject().toJson();
    }
}
