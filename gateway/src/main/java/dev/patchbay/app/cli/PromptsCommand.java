package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.catalog.Prompt;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.Callable;

/** {@code patchbay prompts}: lists the prompts of all servers by full name. */
@Command(
        name = "prompts",
        description = "List the prompts of the servers and their arguments.",
        mixinStandardHelpOptions = true)
final class PromptsCommand implements Callable<Integer>, GatewayCommand {
    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();
    @Mixin private ServerOption servers = new ServerOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "PATTERN",
            description = "Only prompts whose names contain this text; * matches any characters.")
    private @Nullable String pattern;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    PromptsCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (CommandGateway configured = servers.open(context, config.file)) {
            boolean complete = configured.discoverAll();
            List<Prompt> prompts =
                    configured.gateway().catalog().prompts().stream()
                            .filter(this::isSelected)
                            .toList();
            if (json) {
                ResultPrinter.printArray(
                        context.terminal(), prompts.stream().map(PromptsCommand::toJson));
            } else {
                print(prompts);
            }
            return complete ? ExitCode.OK : ExitCode.FAILED;
        }
    }

    private boolean isSelected(Prompt prompt) {
        return servers.includes(prompt.name().server().value())
                && (pattern == null || ToolsCommand.matches(prompt.name().text(), pattern));
    }

    private static Json toJson(Prompt prompt) {
        var writer =
                new JsonWriter()
                        .beginObject()
                        .member("fullName", prompt.name().text())
                        .member("promptName", prompt.name().name())
                        .member("serverId", prompt.name().server().value());
        for (String member : List.of("title", "description", "arguments")) {
            Json value = prompt.definition().member(member);
            if (value != null) {
                writer.member(member, value);
            }
        }
        return writer.endObject().toJson();
    }

    private void print(List<Prompt> prompts) {
        Terminal terminal = context.terminal();
        if (prompts.isEmpty()) {
            terminal.printMessage(
                    pattern == null ? "No server offers a prompt." : "No prompt matches.");
            return;
        }
        var table = new TextTable("PROMPT", "ARGUMENTS", "DESCRIPTION");
        for (Prompt prompt : prompts) {
            String description = prompt.definition().memberText("description");
            table.add(
                    TextTable.Cell.of(prompt.name().text(), terminal::bold),
                    TextTable.Cell.of(arguments(prompt)),
                    TextTable.Cell.of(description == null ? "" : description));
        }
        table.print(terminal);
    }

    /** The names of the arguments; those that are optional in brackets. */
    private static String arguments(Prompt prompt) {
        Json arguments = prompt.definition().member("arguments");
        var names = new StringJoiner(" ").setEmptyValue("-");
        if (arguments != null && arguments.isArray()) {
            for (Json argument : arguments.elements()) {
                String name = argument.isObject() ? argument.memberText("name") : null;
                Json required = name == null ? null : argument.member("required");
                if (name != null) {
                    names.add(required != null && required.isTrue() ? name : "[" + name + "]");
                }
            }
        }
        return names.toString();
    }
}
