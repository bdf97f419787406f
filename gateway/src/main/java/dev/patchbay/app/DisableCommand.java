package dev.patchbay.app;

import dev.patchbay.config.ConfigEditor;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.util.concurrent.Callable;

/** {@code patchbay disable}: switches a server off in the configuration. */
@Command(
        name = "disable",
        description = "Switch a server off in the configuration.",
        mixinStandardHelpOptions = true)
final class DisableCommand implements Callable<Integer> {
    private final Context context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "ID", description = "The name of the server.")
    private String id;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    DisableCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException {
        var editor = new ConfigEditor(Edits.file(context, config.file));
        return Edits.of(context, json).tell(editor.disable(id), id);
    }
}
