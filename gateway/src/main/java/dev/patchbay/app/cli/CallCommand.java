package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay call}: calls a tool with the same checks and routing as a client's call. */
@Command(
        name = "call",
        description = "Call a tool and print its result.",
        mixinStandardHelpOptions = true)
final class CallCommand implements Callable<Integer>, GatewayCommand {
    private final AppContext context;

    @Spec private CommandSpec spec;
    @Mixin private GatewayOptions config = new GatewayOptions();

    @Parameters(
            index = "0",
            paramLabel = "TOOL",
            description = "The name of the tool, as shown by patchbay tools.")
    private String tool;

    @Parameters(
            index = "1..*",
            paramLabel = "KEY=VALUE",
            description =
                    "An argument. The tool's schema decides whether the value is a string, a number"
                            + " or something else; KEY:=JSON passes the value as JSON.")
    private List<String> pairs = List.of();

    @Option(names = "--args", paramLabel = "JSON", description = "All arguments as a JSON object.")
    private @Nullable String args;

    @Option(
            names = "--timeout",
            paramLabel = "MS",
            description = "Timeout of the call in milliseconds.")
    private @Nullable Long timeout;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    CallCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    /** A tool may have been executed. */
    @Override
    public boolean isRepeatable() {
        return false;
    }

    @Override
    public Integer call() throws InterruptedException {
        long began = System.nanoTime();
        try (CommandGateway configured = CommandGateway.openForTool(context, config.file, tool)) {
            configured.recordCalls();
            configured.discoverServerOf(tool);
            Json arguments;
            try {
                arguments = CallArguments.parse(args, pairs, configured.inputSchema(tool));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
            InvocationResult result =
                    configured
                            .gateway()
                            .call(Invocation.of(tool, arguments).withTimeoutMs(timeout))
                            .asPartOfOperationSince(began)
                            .run();
            if (json) {
                context.terminal().print(result.toJson().toString());
            } else {
                print(result, arguments, configured);
            }
            return result.isSuccess() ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private void print(InvocationResult result, Json arguments, CommandGateway configured) {
        if (result.callResult() instanceof CallResult.Answered(_, Json value)) {
            ResultPrinter.print(context.terminal(), value);
            if (result.isToolError()) {
                context.terminal().printMessage("patchbay: The tool reported an error.");
            }
            return;
        }
        var problem = result.problem();
        if (problem != null) {
            context.terminal()
                    .printMessage("patchbay: " + problem.reason() + ": " + problem.message());
            advice(problem.reason(), arguments, configured)
                    .forEach(context.terminal()::printMessage);
        }
    }

    private List<String> advice(ErrorReason reason, Json arguments, CommandGateway configured) {
        if (reason == ErrorReason.INVALID_ARGUMENTS) {
            return CallAdvice.forArguments(tool, configured.inputSchema(tool), arguments);
        }
        var names =
                configured.gateway().tools().stream().map(it -> it.tool().name().text()).toList();
        String near =
                reason == ErrorReason.TOOL_NOT_FOUND ? CallAdvice.similarTool(tool, names) : null;
        var lines = new ArrayList<String>();
        if (near != null) {
            lines.add("Did you mean " + near + "?");
        }
        lines.add("Diagnose it: patchbay doctor " + tool);
        return lines;
    }
}
