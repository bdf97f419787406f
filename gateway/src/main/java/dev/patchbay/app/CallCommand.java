package dev.patchbay.app;

import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.InvocationResult;
import dev.patchbay.gateway.Reply;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Reason;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay call}: one call, through the same checks and routing as a client's. */
@Command(
        name = "call",
        description = "Call a tool and print what it returns.",
        mixinStandardHelpOptions = true)
final class CallCommand implements Callable<Integer> {
    private final Context context;

    @Spec private CommandSpec spec;
    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(index = "0", paramLabel = "TOOL", description = "The name, as tools shows it.")
    private String tool;

    @Parameters(
            index = "1..*",
            paramLabel = "KEY=VALUE",
            description =
                    "An argument. The value is taken for what the tool's schema says; KEY:=JSON"
                            + " gives any value as JSON.")
    private List<String> pairs = List.of();

    @Option(names = "--args", paramLabel = "JSON", description = "All arguments as an object.")
    private @Nullable String args;

    @Option(names = "--timeout", paramLabel = "MS", description = "How long to wait, at most.")
    private @Nullable Long timeout;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    CallCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Workspace workspace = Workspace.open(context, config.file)) {
            workspace.prepare(tool);
            Json arguments;
            try {
                arguments = Arguments.of(args, pairs, workspace.schema(tool));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
            InvocationResult result =
                    workspace
                            .gateway()
                            .invoke(Invocation.of(tool, arguments).withTimeoutMs(timeout));
            if (json) {
                context.terminal().print(result.toJson().toString());
            } else {
                print(result);
            }
            return result.isSuccess() ? Exit.OK : Exit.FAILED;
        }
    }

    private void print(InvocationResult result) {
        if (result.reply() instanceof Reply.Answered(_, Json value)) {
            Contents.print(context.terminal(), value);
            if (result.isToolError()) {
                context.terminal().say("patchbay: the tool reported an error");
            }
            return;
        }
        var problem = result.problem();
        if (problem != null) {
            context.terminal().say("patchbay: " + problem.reason() + ": " + problem.message());
            if (problem.reason() != Reason.INVALID_ARGUMENTS) {
                context.terminal().say("Find out more: patchbay doctor " + tool);
            }
        }
    }
}
