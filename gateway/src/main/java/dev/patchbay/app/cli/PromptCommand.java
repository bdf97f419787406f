package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.LookupResult;
import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.CallResult;
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

/** {@code patchbay prompt}: gets a prompt with its arguments filled in. */
@Command(
        name = "prompt",
        description = "Get a prompt with arguments and print its messages.",
        mixinStandardHelpOptions = true)
final class PromptCommand implements Callable<Integer>, GatewayCommand {
    private static final String METHOD = "prompts/get";

    private final AppContext context;

    @Spec private CommandSpec spec;
    @Mixin private GatewayOptions config = new GatewayOptions();

    @Parameters(
            index = "0",
            paramLabel = "NAME",
            description = "The name of the prompt, as shown by patchbay prompts.")
    private String name;

    @Parameters(index = "1..*", paramLabel = "KEY=VALUE", description = "An argument.")
    private List<String> pairs = List.of();

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    PromptCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        Json arguments;
        try {
            arguments = CallArguments.parseTexts(pairs);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("name", name)
                        .member("arguments", arguments)
                        .endObject()
                        .toJson();
        try (CommandGateway configured = CommandGateway.openForTool(context, config.file, name)) {
            configured.recordCalls();
            configured.discoverServerOf(name);
            CallResult result = configured.gateway().prompt(params, CallContext.NONE);
            return new RequestReport(
                            context.terminal(), json, METHOD, List.of("description", "messages"))
                    .print(result, this::print, advice(name, configured.gateway().catalog()));
        }
    }

    /** What to do about a prompt that does not exist. */
    static List<String> advice(String name, Catalog catalog) {
        if (catalog.findPrompt(name) instanceof LookupResult.Found) {
            return List.of();
        }
        List<String> known = catalog.prompts().stream().map(it -> it.name().text()).toList();
        return CallAdvice.similarNames(name, known, "patchbay prompts");
    }

    private void print(Json answer) {
        Terminal terminal = context.terminal();
        Json messages = answer.member("messages");
        if (messages == null || !messages.isArray()) {
            terminal.print(answer.toString());
            return;
        }
        for (Json message : messages.elements()) {
            String role = message.isObject() ? message.memberText("role") : null;
            terminal.print(terminal.dim((role == null ? "?" : role) + ":"));
            Json content = message.isObject() ? message.member("content") : null;
            ResultPrinter.printContent(terminal, content == null ? message : content);
        }
    }
}
