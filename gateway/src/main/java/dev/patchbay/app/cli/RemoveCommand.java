package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.config.edit.ConfigEditor;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code patchbay remove}: removes a server from the configuration. */
@Command(
        name = "remove",
        description = "Remove a server from the configuration.",
        mixinStandardHelpOptions = true)
final class RemoveCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "ID", description = "The name of the server.")
    private String id;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    RemoveCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        var editor = new ConfigEditor(EditReporter.configFile(context, config.file));
        return EditReporter.of(context, json).report(editor.remove(id), id);
    }
}
