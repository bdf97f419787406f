package dev.patchbay.app;

import dev.patchbay.config.ConfigFile;
import dev.patchbay.config.ConfigReader;
import dev.patchbay.config.Finding;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code patchbay check}: all that is wrong with a configuration, each with its place. */
@Command(
        name = "check",
        description = "Check a configuration and show everything that is wrong with it.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    private final Context context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The file to check.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    CheckCommand(Context context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path chosen = Workspace.require(context, file != null ? file : config.file);
        ConfigFile read = new ConfigReader(context.surroundings().environment()).read(chosen);
        if (json) {
            printJson(read);
        } else {
            print(chosen, read);
        }
        return read instanceof ConfigFile.Valid ? Exit.OK : Exit.WRONG_USAGE;
    }

    private void print(Path chosen, ConfigFile read) {
        Terminal terminal = context.terminal();
        for (Finding finding : read.findings()) {
            terminal.print(terminal.faint(chosen + ":") + finding);
        }
        if (read instanceof ConfigFile.Valid valid) {
            int servers = valid.configuration().servers().size();
            terminal.print(
                    terminal.good("ok") + ": " + servers + (servers == 1 ? " server" : " servers"));
        }
    }

    private void printJson(ConfigFile read) {
        var writer =
                new JsonWriter().beginObject().member("valid", read instanceof ConfigFile.Valid);
        ImportJson.findings(writer, read.findings());
        context.terminal().print(writer.endObject().toJson().toString());
    }
}
