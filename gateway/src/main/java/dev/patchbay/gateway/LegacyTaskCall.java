package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.TaskMessages;

import java.time.Duration;

/**
 * The call of a tool that runs only as a task. The gateway starts the task, waits for its result,
 * and returns it, so that every client can use the tool.
 */
final class LegacyTaskCall {
    private static final Duration CANCEL_TIME_MAX = Duration.ofSeconds(5);

    private final ServerEntry server;
    private final String tool;
    private final Duration timeout;
    private final CallContext context;

    LegacyTaskCall(ServerEntry server, String tool, Duration timeout, CallContext source) {
        this.server = server;
        this.tool = tool;
        this.timeout = timeout;
        this.context = source;
    }

    /** Sends the call; a result that is not a task is the result of the call. */
    CallResult send(Json params) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Json asking = MemberPatch.with(params, TaskMessages.TASK, Json.EMPTY_OBJECT);
        CallResult begun = request("tools/call", timeout, context).send(asking);
        String id =
                begun instanceof CallResult.Answered(_, Json result)
                        ? TaskMessages.legacyTaskId(result)
                        : null;
        if (id == null) {
            return begun;
        }
        Json named =
                new JsonWriter()
                        .beginObject()
                        .member(TaskMessages.TASK_ID, id)
                        .endObject()
                        .toJson();
        boolean ended = false;
        try {
            CallResult reply =
                    new PollRetry(server, context.caller())
                            .run(
                                    deadline,
                                    left ->
                                            request("tasks/result", timeout, context)
                                                    .send(named, left));
            ended = !(reply instanceof CallResult.Failed);
            return reply instanceof CallResult.Answered(var from, Json result)
                    ? new CallResult.Answered(from, withoutRelatedTask(result))
                    : reply;
        } finally {
            if (!ended) {
                Thread.ofVirtual().name("cancel-" + server.id()).start(() -> cancelTask(named));
            }
        }
    }

    /** The result without task metadata, which the client does not know. */
    private static Json withoutRelatedTask(Json result) {
        Json meta = result.member(MetaKeys.META);
        return meta == null || !meta.isObject()
                ? result
                : MemberPatch.with(
                        result,
                        MetaKeys.META,
                        MemberPatch.without(meta, TaskMessages.RELATED_TASK));
    }

    private void cancelTask(Json named) {
        try {
            CallContext internal = CallContext.internal(context.caller());
            CallResult _ = request("tasks/cancel", CANCEL_TIME_MAX, internal).send(named);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private ForwardedRequest request(String method, Duration patience, CallContext from) {
        return new ForwardedRequest(server, method, tool, patience, from);
    }
}
