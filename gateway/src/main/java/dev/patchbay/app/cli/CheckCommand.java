package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Finding;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.LiteralSecrets;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay check}: shows all errors of a configuration file with their positions. */
@Command(
        name = "check",
        description = "Check a configuration file and show every error, with line and column.",
        mixinStandardHelpOptions = true)
final class CheckCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "The file to check. Default: the file that the other commands use.")
    private @Nullable Path file;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    CheckCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Path chosen = requireFile();
        if (!Files.exists(chosen, LinkOption.NOFOLLOW_LINKS)) {
            throw new CommandFailedException(ExitCode.WRONG_USAGE, "No such file: " + chosen);
        }
        ConfigReadResult read = new ConfigReader(context.environment().variables()).read(chosen);
        var findings = new ArrayList<>(read.findings());
        findings.addAll(LiteralSecrets.findIn(chosen));
        if (json) {
            printJson(read, findings);
        } else {
            print(chosen, read, findings);
        }
        return read.hasErrors() ? ExitCode.WRONG_USAGE : ExitCode.OK;
    }

    private Path requireFile() {
        Path named = file != null ? file : config.file;
        return ConfigSource.require(context, named).file().orElseThrow();
    }

    private void print(Path chosen, ConfigReadResult read, List<Finding> findings) {
        Terminal terminal = context.terminal();
        for (Finding finding : findings) {
            terminal.print(terminal.dim(chosen + ":") + finding);
        }
        if (read instanceof ConfigReadResult.Valid valid && !read.hasErrors()) {
            int servers = valid.configuration().servers().size();
            terminal.print(
                    terminal.success("ok")
                            + ": "
                            + servers
                            + (servers == 1 ? " server" : " servers"));
        }
    }

    private void printJson(ConfigReadResult read, List<Finding> findings) {
        var writer = new JsonWriter().beginObject().member("valid", !read.hasErrors());
        ImportReportJson.writeFindings(writer, findings);
        context.terminal().print(writer.endObject().toJson().toString());
    }
}
