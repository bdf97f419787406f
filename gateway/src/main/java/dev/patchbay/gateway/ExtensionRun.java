package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.Members;
import dev.patchbay.json.Splice;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.jsonrpc.RpcException;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.LinkFacts;
import dev.patchbay.server.Pause;
import dev.patchbay.server.ServerUnavailable;
import dev.patchbay.server.StartGate.Turn;
import dev.patchbay.server.Trouble;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The call of a tool on behalf of a client that cannot know the tasks of the modern era. Where the
 * server answers with a task, the gateway waits for its end, passes its questions on, and gives its
 * result as that of the call.
 */
final class ExtensionRun {
    private static final Duration CANCEL_TIME_MAX = Duration.ofSeconds(5);
    private static final long POLL_MS = 500;
    private static final long POLL_MIN_MS = 10;
    private static final long POLL_MAX_MS = 10_000;

    private final Registered server;
    private final String tool;
    private final Duration timeout;
    private final CallSource source;
    private final Set<String> answered = new HashSet<>();
    private long deadline;

    ExtensionRun(Registered server, String tool, Duration timeout, CallSource source) {
        this.server = server;
        this.tool = tool;
        this.timeout = timeout;
        this.source = source;
    }

    /** The result of the call; whatever is no task is taken for it. */
    Reply send(Json params) throws InterruptedException {
        try {
            if (!hasTasks()) {
                return new Passage(server, "tools/call", tool, timeout, source).send(params);
            }
        } catch (ServerUnavailable e) {
            return new Reply.Failed(server.id(), e.trouble());
        }
        deadline = System.nanoTime() + timeout.toNanos();
        Reply begun = passage("tools/call", timeout).send(params);
        String id = begun instanceof Reply.Answered(_, Json result) ? Tasks.idOf(result) : null;
        if (id == null || !(begun instanceof Reply.Answered(_, Json task))) {
            return begun;
        }
        Json named = new JsonWriter().beginObject().member(Tasks.TASK_ID, id).endObject().toJson();
        boolean over = false;
        try {
            Reply end = await(task, named);
            over = !(end instanceof Reply.Failed);
            return end;
        } finally {
            if (!over) {
                Thread.ofVirtual().name("cancel-" + server.id()).start(() -> cancel(named));
            }
        }
    }

    private boolean hasTasks() throws ServerUnavailable, InterruptedException {
        Duration connecting = server.spec().options().limits().connectionTimeout();
        Duration patience = connecting.compareTo(timeout) > 0 ? connecting : timeout;
        server.supervisor().turn(Turn.FIRST);
        LinkFacts facts = server.supervisor().link(patience).facts();
        return facts.version().era() == Era.MODERN && Tasks.isDeclared(facts.capabilities());
    }

    private Reply await(Json begun, Json named) throws InterruptedException {
        Json task = begun;
        while (true) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return failed("its task did not end within " + timeout.toMillis() + " ms");
            }
            long pause = Math.min(pollNanos(task), left);
            Pause.REAL.await(Duration.ofNanos(pause));
            Reply seen =
                    new Persistence(server)
                            .ask(deadline, rest -> passage("tasks/get", timeout).send(named, rest));
            if (!(seen instanceof Reply.Answered(_, Json now))) {
                return seen;
            }
            task = now;
            Reply end = end(now);
            if (end == null) {
                end = answer(now, named);
            }
            if (end != null) {
                return end;
            }
        }
    }

    private static long pollNanos(Json task) {
        Json said = task.member("pollIntervalMs");
        long millis = said == null ? POLL_MS : said.asLong(POLL_MS);
        return Math.clamp(millis, POLL_MIN_MS, POLL_MAX_MS) * 1_000_000;
    }

    /** What a task that is over comes to; null if it goes on. */
    private @Nullable Reply end(Json task) {
        String status = task.memberText("status");
        Json result = task.member("result");
        Json error = task.member("error");
        if (status == null) {
            return failed("it told of its task without a status");
        }
        return switch (status) {
            case "working", "input_required" -> null;
            case "completed" ->
                    result != null && result.isObject()
                            ? new Reply.Answered(server.id(), result)
                            : failed("its task ended without a result");
            case "failed" ->
                    error == null
                            ? failed("its task failed")
                            : new Reply.Refused(server.id(), error(error));
            default -> failed("its task is " + Text.brief(status));
        };
    }

    private static RpcError error(Json error) {
        Json code = error.member("code");
        String message = error.memberText("message");
        return new RpcError(
                code == null ? RpcError.INTERNAL_ERROR : (int) code.asLong(RpcError.INTERNAL_ERROR),
                message == null ? "The task failed" : message,
                error.member("data"));
    }

    /** Asks the client what the task needs; null if the task goes on with it. */
    private @Nullable Reply answer(Json task, Json named) throws InterruptedException {
        Json questions = task.member("inputRequests");
        if (questions == null || !questions.isObject()) {
            return null;
        }
        var writer = new JsonWriter().beginObject();
        Members members = questions.walk();
        boolean any = false;
        while (members.next()) {
            if (answered.add(members.name())) {
                any = true;
                try {
                    writer.name(members.name()).value(ask(members.value()));
                } catch (RpcException e) {
                    return failed(e.error().message());
                }
            }
        }
        if (!any) {
            return null;
        }
        Json update = Splice.with(named, "inputResponses", writer.endObject().toJson());
        Reply taken = passage("tasks/update", timeout).send(update);
        return taken instanceof Reply.Answered ? null : taken;
    }

    /** The time of the call stands still while the client thinks. */
    private Json ask(Json question) throws InterruptedException {
        String method = question.memberText("method");
        Json params = question.member("params");
        if (method == null) {
            throw new RpcException(RpcError.INTERNAL_ERROR, "The server asks for nothing by name");
        }
        long asked = System.nanoTime();
        try {
            Json answer =
                    source.listener().ask(method, params == null ? Json.EMPTY_OBJECT : params);
            if (answer == null) {
                throw new RpcException(RpcError.INTERNAL_ERROR, "The client cannot be asked");
            }
            return answer;
        } finally {
            deadline += System.nanoTime() - asked;
        }
    }

    private void cancel(Json named) {
        try {
            Reply _ = passage("tasks/cancel", CANCEL_TIME_MAX).send(named);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private Passage passage(String method, Duration patience) {
        var asking =
                new CallSource(
                        source.listener(),
                        Tasks.declared(source.capabilities()),
                        source.logLevel(),
                        source.client());
        return new Passage(server, method, tool, patience, asking);
    }

    private Reply failed(String how) {
        String message = "Server %s, asked for %s: %s".formatted(server.id(), tool, how);
        return new Reply.Failed(
                server.id(),
                new Trouble(Reason.INVOCATION_FAILED, message, "tools/call", 1, Execution.UNKNOWN));
    }
}
