package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.catalog.Prompt;
import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay complete}: asks a server for values of an argument. */
@Command(
        name = "complete",
        description = "Ask the server for values of an argument of a prompt or resource template.",
        mixinStandardHelpOptions = true)
final class CompleteCommand implements Callable<Integer>, GatewayCommand {
    private static final String METHOD = "completion/complete";

    private final AppContext context;

    @Spec private CommandSpec spec;
    @Mixin private GatewayOptions config = new GatewayOptions();

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The name of a prompt, or a resource template.")
    private String name;

    @Parameters(
            index = "1",
            paramLabel = "ARGUMENT=START",
            description = "The argument to complete, and how its value begins.")
    private String argument;

    @Parameters(
            index = "2..*",
            paramLabel = "KEY=VALUE",
            description = "The values of other arguments that are known already.")
    private List<String> pairs = List.of();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    CompleteCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        Json.Member wanted;
        Json known;
        try {
            wanted = CallArguments.parseTexts(List.of(argument)).members().getFirst();
            known = CallArguments.parseTexts(pairs);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try (CommandGateway configured = open()) {
            configured.discoverServerOf(name);
            Gateway gateway = configured.gateway();
            CallResult result =
                    unwrapped(gateway.complete(params(gateway, wanted, known), CallContext.NONE));
            return new RequestReport(
                            context.terminal(), json, METHOD, List.of("values", "total", "hasMore"))
                    .print(result, this::print, PromptCommand.advice(name, gateway.catalog()));
        }
    }

    private CommandGateway open() {
        return name.contains("{")
                ? CommandGateway.openForUri(context, config.file, name)
                : CommandGateway.openForTool(context, config.file, name);
    }

    private Json params(Gateway gateway, Json.Member wanted, Json known) {
        LookupResult<Prompt> prompt = gateway.catalog().findPrompt(name);
        boolean isUri = name.contains("{") && !(prompt instanceof LookupResult.Found);
        var writer =
                new JsonWriter()
                        .beginObject()
                        .name("ref")
                        .beginObject()
                        .member("type", isUri ? "ref/resource" : "ref/prompt")
                        .member(isUri ? "uri" : "name", name)
                        .endObject()
                        .name("argument")
                        .beginObject()
                        .member("name", wanted.name())
                        .member("value", wanted.value())
                        .endObject();
        if (!known.members().isEmpty()) {
            writer.name("context").beginObject().member("arguments", known).endObject();
        }
        return writer.endObject().toJson();
    }

    /** The result with the members of {@code completion} at the top. */
    private static CallResult unwrapped(CallResult result) {
        if (result instanceof CallResult.Answered(var server, Json answer)) {
            Json completion = answer.member("completion");
            if (completion != null && completion.isObject()) {
                return new CallResult.Answered(server, completion);
            }
        }
        return result;
    }

    private void print(Json completion) {
        Terminal terminal = context.terminal();
        Json values = completion.member("values");
        if (values != null && values.isArray()) {
            values.elements().stream()
                    .filter(Json::isString)
                    .forEach(value -> terminal.print(value.text()));
        }
        Json more = completion.member("hasMore");
        if (more != null && more.isTrue()) {
            terminal.printMessage("There are more values: give more of the beginning.");
        }
    }
}
