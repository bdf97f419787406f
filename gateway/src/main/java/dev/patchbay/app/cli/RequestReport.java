package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.mcp.ErrorReason;
import dev.patchbay.mcp.ExecutionStatus;
import dev.patchbay.server.ServerId;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/**
 * Prints the result of a request that is not a tool call, as text or as JSON.
 *
 * @param operation the MCP method
 * @param members the members of the result that the JSON has
 */
record RequestReport(Terminal terminal, boolean json, String operation, List<String> members) {
    RequestReport {
        members = List.copyOf(members);
    }

    /** Why a request failed. */
    private record Problem(ErrorReason reason, String message, ExecutionStatus execution) {}

    /**
     * Prints a result and returns the exit code.
     *
     * @param printer prints the result of a success as text
     * @param advice the lines that follow an error message
     */
    int print(CallResult result, Consumer<Json> printer, List<String> advice) {
        if (result instanceof CallResult.Answered(ServerId server, Json answer)) {
            if (json) {
                terminal.print(success(server, answer).toString());
            } else {
                printer.accept(answer);
            }
            return ExitCode.OK;
        }
        Problem problem = problem(result);
        if (json) {
            terminal.print(failure(server(result), problem).toString());
        } else {
            terminal.printMessage("patchbay: " + problem.reason() + ": " + problem.message());
            advice.forEach(terminal::printMessage);
        }
        return ExitCode.FAILED;
    }

    private Json success(ServerId server, Json answer) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("success", true)
                        .member("serverId", server.value());
        for (String member : members) {
            Json value = answer.member(member);
            if (value != null) {
                writer.member(member, value);
            }
        }
        return writer.endObject().toJson();
    }

    private Json failure(@Nullable ServerId server, Problem problem) {
        var writer = new JsonWriter().beginObject().member("success", false);
        if (server != null) {
            writer.member("serverId", server.value());
        }
        return writer.name("error")
                .beginObject()
                .member("reason", problem.reason().name())
                .member("message", problem.message())
                .member("operation", operation)
                .member("execution", problem.execution().wireName())
                .endObject()
                .endObject()
                .toJson();
    }

    private static @Nullable ServerId server(CallResult result) {
        return switch (result) {
            case CallResult.Answered(ServerId server, _) -> server;
            case CallResult.ServerError(ServerId server, _) -> server;
            case CallResult.Failed(ServerId server, _) -> server;
            case CallResult.InvalidArguments(ServerId server, _, _) -> server;
            case CallResult.Rejected rejected -> rejected.server();
        };
    }

    private static Problem problem(CallResult result) {
        return switch (result) {
            case CallResult.Answered _ -> throw new IllegalArgumentException("not a failure");
            case CallResult.ServerError(_, var error) ->
                    new Problem(
                            ErrorReason.INVOCATION_FAILED,
                            error.message(),
                            ExecutionStatus.EXECUTED);
            case CallResult.Failed(_, var failure) ->
                    new Problem(failure.reason(), failure.message(), failure.execution());
            case CallResult.InvalidArguments invalid ->
                    new Problem(
                            ErrorReason.INVALID_ARGUMENTS,
                            invalid.message(),
                            ExecutionStatus.NOT_SENT);
            case CallResult.Rejected rejected ->
                    new Problem(rejected.reason(), rejected.message(), ExecutionStatus.NOT_SENT);
        };
    }
}
