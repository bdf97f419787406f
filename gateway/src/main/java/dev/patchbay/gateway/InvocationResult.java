package dev.patchbay.gateway;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerFailure;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.StringJoiner;

/**
 * The result of a tool call.
 *
 * @param tool the tool's full name; the given name if it was not found
 * @param server the tool's server; null if it was not found
 */
public record InvocationResult(
        String tool, @Nullable ServerId server, CallResult callResult, long durationMs) {

    private static final int TEXT_CHARS_MAX = 4_000;

    /** Why a call failed. */
    public record Problem(
            ErrorReason reason,
            String message,
            String operation,
            int attempts,
            ExecutionStatus execution) {}

    /** Whether the tool ran and did not report an error. */
    public boolean isSuccess() {
        return callResult instanceof CallResult.Answered(_, Json result) && !isError(result);
    }

    /** Whether the tool itself reported an error. */
    public boolean isToolError() {
        return callResult instanceof CallResult.Answered(_, Json result) && isError(result);
    }

    /** The problem; null if the call succeeded. */
    public @Nullable Problem problem() {
        return switch (callResult) {
            case CallResult.Answered(_, Json result) ->
                    isError(result)
                            ? problem(
                                    ErrorReason.INVOCATION_FAILED,
                                    text(result),
                                    ExecutionStatus.EXECUTED)
                            : null;
            case CallResult.ServerError(_, var error) ->
                    problem(
                            ErrorReason.INVOCATION_FAILED,
                            error.message(),
                            ExecutionStatus.EXECUTED);
            case CallResult.Failed(_, ServerFailure it) ->
                    new Problem(
                            it.reason(),
                            it.message(),
                            it.operation(),
                            it.attempts(),
                            it.execution());
            case CallResult.InvalidArguments unfit ->
                    problem(
                            ErrorReason.INVALID_ARGUMENTS,
                            unfit.message(),
                            ExecutionStatus.NOT_SENT);
            case CallResult.Rejected unresolved ->
                    problem(unresolved.reason(), unresolved.message(), ExecutionStatus.NOT_SENT);
        };
    }

    /** The form that {@code patchbay call --json} prints. */
    public Json toJson() {
        var writer = new JsonWriter().beginObject();
        writer.member("success", isSuccess()).member("toolName", tool);
        if (server != null) {
            writer.member("serverId", server.value());
        }
        if (callResult instanceof CallResult.Answered(_, Json result)) {
            for (String member : List.of("content", "structuredContent")) {
                Json value = result.member(member);
                if (value != null) {
                    writer.member(member, value);
                }
            }
        }
        Problem problem = problem();
        writer.member("isError", problem != null);
        if (problem != null) {
            writeError(writer, problem);
        }
        return writer.member("durationMs", durationMs).endObject().toJson();
    }

    private void writeError(JsonWriter writer, Problem problem) {
        writer.name("error")
                .beginObject()
                .member("reason", problem.reason().name())
                .member("message", problem.message())
                .member("operation", problem.operation());
        if (problem.attempts() > 0) {
            writer.member("attempts", problem.attempts());
        }
        writer.member("execution", problem.execution().wireName());
        if (callResult instanceof CallResult.ServerError(_, var error)) {
            writer.member("code", error.code());
            if (error.data() != null) {
                writer.member("data", error.data());
            }
        }
        writer.endObject();
    }

    private static Problem problem(ErrorReason reason, String message, ExecutionStatus execution) {
        return new Problem(reason, message, "tools/call", 0, execution);
    }

    private static boolean isError(Json result) {
        Json flag = result.member("isError");
        return flag != null && flag.isTrue();
    }

    /** The text of an error result. */
    private static String text(Json result) {
        Json content = result.member("content");
        var text = new StringJoiner("\n").setEmptyValue("The tool reported an error, no text");
        if (content != null && content.isArray()) {
            for (Json block : content.elements()) {
                String part = block.memberText("text");
                if (part != null && text.length() < TEXT_CHARS_MAX) {
                    text.add(part);
                }
            }
        }
        return text.toString();
    }
}
