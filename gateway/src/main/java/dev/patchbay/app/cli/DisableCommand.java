package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.config.edit.ConfigEditor;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code patchbay disable}: disables a server in the configuration. */
@Command(
        name = "disable",
        description = "Disable a server in the configuration. It is not started.",
        mixinStandardHelpOptions = true)
final class DisableCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "ID", description = "The name of the server.")
    private String id;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    DisableCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        var editor = new ConfigEditor(EditReporter.configFile(context, config.file));
        return EditReporter.of(context, json).report(editor.disable(id), id);
    }
}
