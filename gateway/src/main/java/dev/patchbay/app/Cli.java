package dev.patchbay.app;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;

/** The commands that people type. */
@Command(
        name = "patchbay",
        description = "One MCP endpoint for all of your MCP servers.",
        mixinStandardHelpOptions = true,
        versionProvider = Cli.Version.class,
        subcommands = {
            StdioCommand.class,
            ServeCommand.class,
            ReplCommand.class,
            ServersCommand.class,
            ToolsCommand.class,
            DiscoverCommand.class,
            CallCommand.class,
            CheckCommand.class,
            DoctorCommand.class,
            AddCommand.class,
            RemoveCommand.class,
            EnableCommand.class,
            DisableCommand.class,
            LoginCommand.class,
            LogoutCommand.class,
            ImportCommand.class,
            InstallCommand.class,
            UninstallCommand.class,
            CompletionCommand.class,
            ManualCommand.class
        })
final class Cli implements Callable<Integer> {
    @Spec private CommandSpec spec;

    /** Runs a command line; the exit code. */
    static int run(String[] args, Context context) {
        var out = new PrintWriter(context.streams().out(), true, StandardCharsets.UTF_8);
        return new CommandLine(new Cli(), new CommandFactory(context))
                .setOut(out)
                .setErr(new PrintWriter(System.err, true, StandardCharsets.UTF_8))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionExceptionHandler(
                        (e, _, _) -> {
                            if (e instanceof CommandFailed failed) {
                                context.terminal().say("patchbay: " + failed.getMessage());
                                return failed.exitCode();
                            }
                            if (e instanceof IOException io) {
                                context.terminal().say("patchbay: " + Faults.told(io));
                                return Exit.FAILED;
                            }
                            throw e;
                        })
                .execute(args);
    }

    @Override
    public Integer call() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }

    /** Says which Patchbay this is. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"patchbay " + Product.version()};
        }
    }
}
