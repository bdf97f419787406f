package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.Invocation;
import dev.patchbay.gateway.InvocationResult;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.ErrorReason;

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
    private final AppContext context;

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

    CallCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        long began = System.nanoTime();
        try (ConfiguredGateway workspace =
                ConfiguredGateway.openForTool(context, config.file, tool)) {
            workspace.discoverServerOf(tool);
            Json arguments;
            try {
                arguments = CallArguments.parse(args, pairs, workspace.inputSchema(tool));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
            InvocationResult result =
                    workspace
                            .gateway()
                            .call(Invocation.of(tool, arguments).withTimeoutMs(timeout))
                            .asPartOfOperationSince(began)
                            .run();
            if (json) {
                context.terminal().print(result.toJson().toString());
            } else {
                print(result);
            }
            return result.isSuccess() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private void print(InvocationResult result) {
        if (result.callResult() instanceof CallResult.Answered(_, Json value)) {
            ResultPrinter.print(context.terminal(), value);
            if (result.isToolError()) {
                context.terminal().printMessage("patchbay: the tool reported an error");
            }
            return;
        }
        var problem = result.problem();
        if (problem != null) {
            context.terminal()
                    .printMessage("patchbay: " + problem.reason() + ": " + problem.message());
            if (problem.reason() != ErrorReason.INVALID_ARGUMENTS) {
                context.terminal().printMessage("Find out more: patchbay doctor " + tool);
            }
        }
    }
}
