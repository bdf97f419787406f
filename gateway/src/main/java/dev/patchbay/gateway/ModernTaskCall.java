package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;
import dev.patchbay.json.MemberPatch;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.mcp.TaskMessages;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.text.DisplayText;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The call of a tool for a client without modern tasks. If the server answers with a task, the
 * gateway waits for its end, forwards its input requests, and returns its result.
 */
final class ModernTaskCall {
    private static final Duration CANCEL_TIME_MAX = Duration.ofSeconds(5);
    private static final long POLL_MS = 500;
    private static final long POLL_MIN_MS = 10;
    private static final long POLL_MAX_MS = 10_000;

    private final ServerEntry server;
    private final String tool;
    private final Duration timeout;
    private final CallContext context;
    private final Set<String> answeredInputs = new HashSet<>();
    private long deadline;

    ModernTaskCall(ServerEntry server, String tool, Duration timeout, CallContext source) {
        this.server = server;
        this.tool = tool;
        this.timeout = timeout;
        this.context = source;
    }

    /** Sends the call. If the server answers with a task, waits for the result of the task. */
    CallResult send(Json params) throws InterruptedException {
        deadline = System.nanoTime() + timeout.toNanos();
        CallResult begun = request("tools/call", timeout).send(params);
        String id =
                begun instanceof CallResult.Answered(_, Json result)
                        ? TaskMessages.modernTaskId(result)
                        : null;
        if (id == null || !(begun instanceof CallResult.Answered(_, Json task))) {
            return begun;
        }
        Json named =
                new JsonWriter()
                        .beginObject()
                        .member(TaskMessages.TASK_ID, id)
                        .endObject()
                        .toJson();
        boolean over = false;
        try {
            CallResult end = awaitTask(task, named);
            over = !(end instanceof CallResult.Failed);
            return end;
        } finally {
            if (!over) {
                Thread.ofVirtual().name("cancel-" + server.id()).start(() -> cancelTask(named));
            }
        }
    }

    private CallResult awaitTask(Json begun, Json named) throws InterruptedException {
        Json task = begun;
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return failed("its task did not finish within " + timeout.toMillis() + " ms");
            }
            long pause = Math.min(pollIntervalNanos(task), left);
            Ticker.system().sleep(Duration.ofNanos(pause));
            CallResult seen =
                    new PollRetry(server, context.caller())
                            .run(deadline, rest -> request("tasks/get", timeout).send(named, rest));
            if (!(seen instanceof CallResult.Answered(_, Json now))) {
                return seen;
            }
            task = now;
            CallResult end = taskResult(now);
            if (end == null) {
                end = answerInputRequests(now, named);
            }
            if (end != null) {
                return end;
            }
        }
    }

    private static long pollIntervalNanos(Json task) {
        Json said = task.member("pollIntervalMs");
        long millis = said == null ? POLL_MS : said.asLong(POLL_MS);
        return Math.clamp(millis, POLL_MIN_MS, POLL_MAX_MS) * 1_000_000;
    }

    /** The result of a finished task; null if it is running. */
    private @Nullable CallResult taskResult(Json task) {
        String status = task.memberText("status");
        Json result = task.member("result");
        Json error = task.member("error");
        if (status == null) {
            return failed("its task has no status");
        }
        return switch (status) {
            case "working", "input_required" -> null;
            case "completed" ->
                    result != null && result.isObject()
                            ? new CallResult.Answered(server.id(), result)
                            : failed("its task ended without a result");
            case "failed" ->
                    error == null
                            ? failed("its task failed")
                            : new CallResult.ServerError(server.id(), toRpcError(error));
            default -> failed("its task is " + DisplayText.quoteName(status));
        };
    }

    private static RpcError toRpcError(Json error) {
        Json code = error.member("code");
        String message = error.memberText("message");
        return new RpcError(
                code == null ? RpcError.INTERNAL_ERROR : (int) code.asLong(RpcError.INTERNAL_ERROR),
                message == null ? "The task failed" : message,
                error.member("data"));
    }

    /** Sends the task's input requests to the client; null if the task continues. */
    private @Nullable CallResult answerInputRequests(Json task, Json named)
            throws InterruptedException {
        Json questions = task.member("inputRequests");
        if (questions == null || !questions.isObject()) {
            return null;
        }
        var writer = new JsonWriter().beginObject();
        MemberCursor members = questions.memberCursor();
        boolean any = false;
        while (members.next()) {
            if (answeredInputs.add(members.name())) {
                any = true;
                try {
                    writer.name(members.name()).value(askClient(members.value()));
                } catch (RpcException e) {
                    return failed(e.error().message());
                }
            }
        }
        if (!any) {
            return null;
        }
        Json update = MemberPatch.with(named, "inputResponses", writer.endObject().toJson());
        CallResult taken = request("tasks/update", timeout).send(update);
        return taken instanceof CallResult.Answered ? null : taken;
    }

    /** Asks the client; the timeout of the call is paused meanwhile. */
    private Json askClient(Json question) throws InterruptedException {
        String method = question.memberText("method");
        Json params = question.member("params");
        if (method == null) {
            throw new RpcException(
                    RpcError.INTERNAL_ERROR, "The server asked for input without a method");
        }
        long asked = System.nanoTime();
        try {
            Json answer =
                    context.listener()
                            .requestInput(method, params == null ? Json.EMPTY_OBJECT : params);
            if (answer == null) {
                throw new RpcException(RpcError.INTERNAL_ERROR, "The client cannot be asked");
            }
            return answer;
        } finally {
            deadline += System.nanoTime() - asked;
        }
    }

    private void cancelTask(Json named) {
        try {
            CallResult _ = request("tasks/cancel", CANCEL_TIME_MAX).send(named);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private ForwardedRequest request(String method, Duration patience) {
        var asking =
                new CallContext(
                        context.listener(),
                        TaskMessages.withTasksExtension(context.capabilities()),
                        context.logLevel(),
                        context.clientName(),
                        context.principal(),
                        context.caller());
        return new ForwardedRequest(server, method, tool, patience, asking);
    }

    private CallResult failed(String how) {
        String message = "Server %s, call of %s: %s".formatted(server.id(), tool, how);
        return new CallResult.Failed(
                server.id(),
                new ServerFailure(
                        ErrorReason.INVOCATION_FAILED,
                        message,
                        "tools/call",
                        1,
                        ExecutionStatus.UNKNOWN));
    }
}
