package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Splice;
import dev.patchbay.mcp.MetaKeys;
import dev.patchbay.mcp.Tasks;

import java.time.Duration;

/**
 * The call of a tool that runs only as a task. The gateway begins the task, waits for its result,
 * and gives it as that of the call, so that every client can use the tool.
 */
final class TaskRun {
    private static final Duration CANCEL_TIME_MAX = Duration.ofSeconds(5);

    private final Registered server;
    private final String tool;
    private final Duration timeout;
    private final CallSource source;

    TaskRun(Registered server, String tool, Duration timeout, CallSource source) {
        this.server = server;
        this.tool = tool;
        this.timeout = timeout;
        this.source = source;
    }

    /** The result of the call; whatever is no task is taken for it. */
    Reply send(Json params) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        Json asking = Splice.with(params, Tasks.TASK, Json.EMPTY_OBJECT);
        Reply begun = passage("tools/call", timeout, source).send(asking);
        String id = begun instanceof Reply.Answered(_, Json result) ? Tasks.begun(result) : null;
        if (id == null) {
            return begun;
        }
        Json named = new JsonWriter().beginObject().member(Tasks.TASK_ID, id).endObject().toJson();
        boolean ended = false;
        try {
            Reply reply =
                    new Persistence(server)
                            .ask(
                                    deadline,
                                    left ->
                                            passage("tasks/result", timeout, source)
                                                    .send(named, left));
            ended = !(reply instanceof Reply.Failed);
            return reply instanceof Reply.Answered(var from, Json result)
                    ? new Reply.Answered(from, unrelated(result))
                    : reply;
        } finally {
            if (!ended) {
                Thread.ofVirtual().name("cancel-" + server.id()).start(() -> cancel(named));
            }
        }
    }

    /** The result without the mark of a task that the client knows nothing of. */
    private static Json unrelated(Json result) {
        Json meta = result.member(MetaKeys.META);
        return meta == null || !meta.isObject()
                ? result
                : Splice.with(result, MetaKeys.META, Splice.without(meta, Tasks.RELATED));
    }

    private void cancel(Json named) {
        try {
            Reply _ = passage("tasks/cancel", CANCEL_TIME_MAX, CallSource.NONE).send(named);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Passage passage(String method, Duration patience, CallSource from) {
        return new Passage(server, method, tool, patience, from);
    }
}
