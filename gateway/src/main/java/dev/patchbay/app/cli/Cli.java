package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.DaemonCommandRunner;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.IoErrorText;
import dev.patchbay.app.wiring.ProductInfo;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.read.SpellingSuggestion;
import dev.patchbay.text.DisplayText;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.Callable;

/** The command line: parses the arguments and runs the command. */
@Command(
        name = "patchbay",
        description = "One MCP endpoint for all of your MCP servers.",
        mixinStandardHelpOptions = true,
        versionProvider = Cli.Version.class)
public final class Cli implements Callable<Integer> {
    /** The commands in the order of the help. The name of each comes from its class. */
    static final List<Class<?>> COMMANDS =
            List.of(
                    StdioCommand.class,
                    ServeCommand.class,
                    ReplCommand.class,
                    DaemonCommand.class,
                    StatusCommand.class,
                    ServersCommand.class,
                    ToolsCommand.class,
                    DescribeCommand.class,
                    DiscoverCommand.class,
                    CallCommand.class,
                    ResourcesCommand.class,
                    ReadCommand.class,
                    PromptsCommand.class,
                    PromptCommand.class,
                    CompleteCommand.class,
                    CheckCommand.class,
                    TrustCommand.class,
                    SecretCommand.class,
                    DoctorCommand.class,
                    HistoryCommand.class,
                    LogsCommand.class,
                    SearchCommand.class,
                    AddCommand.class,
                    RemoveCommand.class,
                    EnableCommand.class,
                    DisableCommand.class,
                    LoginCommand.class,
                    LogoutCommand.class,
                    TokenCommand.class,
                    AdoptCommand.class,
                    ImportCommand.class,
                    InstallCommand.class,
                    UninstallCommand.class,
                    CompletionCommand.class,
                    CandidatesCommand.class,
                    ManualCommand.class);

    /** Commands that list all the others. */
    private static final Set<Class<?>> NEED_ALL_COMMANDS = Set.of(ManualCommand.class);

    @Spec private CommandSpec spec;

    static String commandName(Class<?> command) {
        String type = command.getSimpleName();
        return type.substring(0, type.length() - "Command".length()).toLowerCase(Locale.ROOT);
    }

    /**
     * Creates the parser. If the first argument is a command, only that command is registered:
     * registering all of them takes longer than most commands take to run.
     */
    static CommandLine parserFor(String[] args, AppContext context) {
        var factory = new CommandFactory(context);
        var line = new CommandLine(new Cli(), factory);
        for (Class<?> command : COMMANDS) {
            if (args.length > 0
                    && args[0].equals(commandName(command))
                    && !NEED_ALL_COMMANDS.contains(command)) {
                return withExamples(line.addSubcommand(new CommandLine(command, factory)));
            }
        }
        COMMANDS.forEach(command -> line.addSubcommand(new CommandLine(command, factory)));
        return withExamples(line);
    }

    /** The examples are looked up when help is shown. */
    private static CommandLine withExamples(CommandLine line) {
        return line.setHelpFactory(new CommandExamples());
    }

    /** Runs a command line and returns the exit code. */
    public static int run(String[] args, AppContext context) {
        Terminal terminal = context.terminal();
        PrintWriter out = terminal.writer();
        int code = execute(args, context, out);
        if (!out.checkError() && !terminal.hasWriteError()) {
            return code;
        }
        if (!terminal.isReaderGone()) {
            terminal.printMessage("patchbay: Could not write all output to standard output.");
        }
        return code == ExitCode.OK ? ExitCode.FAILED : code;
    }

    private static int execute(String[] args, AppContext context, PrintWriter out) {
        return parserFor(args, context)
                .setOut(out)
                .setErr(context.terminal().errorWriter())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(parsed -> run(parsed, context))
                .setParameterExceptionHandler(Cli::reportWrongUsage)
                .setExecutionExceptionHandler(
                        (e, _, _) -> {
                            if (e instanceof CommandFailedException failed) {
                                context.terminal().printMessage("patchbay: " + failed.getMessage());
                                return failed.exitCode();
                            }
                            if (e instanceof IOException io) {
                                context.terminal()
                                        .printMessage("patchbay: " + IoErrorText.describe(io));
                                return ExitCode.FAILED;
                            }
                            throw e;
                        })
                .execute(args);
    }

    /** Runs a command where it belongs: in the background gateway or in this process. */
    private static int run(ParseResult parsed, AppContext context) {
        ParseResult command = parsed.subcommand();
        if (command != null
                && context.lent() == null
                && !command.isUsageHelpRequested()
                && !command.isVersionHelpRequested()
                && command.commandSpec().userObject() instanceof GatewayCommand gatewayCommand
                && !gatewayCommand.gatewayOptions().standalone
                && !gatewayCommand.isBoundToThisProcess()) {
            OptionalInt exitCode =
                    new DaemonCommandRunner(context)
                            .run(
                                    gatewayCommand.gatewayOptions().file,
                                    parsed.originalArgs(),
                                    gatewayCommand.isRepeatable());
            if (exitCode.isPresent()) {
                return exitCode.getAsInt();
            }
        }
        return new CommandLine.RunLast().execute(parsed);
    }

    private static int reportWrongUsage(ParameterException e, String[] args) {
        CommandLine line = e.getCommandLine();
        PrintWriter err = line.getErr();
        boolean isUnknownCommand =
                e instanceof UnmatchedArgumentException
                        && line.getParent() == null
                        && args.length > 0
                        && !args[0].startsWith("-");
        if (isUnknownCommand) {
            String near = SpellingSuggestion.closest(args[0], line.getSubcommands().keySet());
            err.println("Unknown command %s.".formatted(DisplayText.quote(args[0])));
            err.println(near == null ? "See \"patchbay --help\"." : "Did you mean " + near + "?");
        } else {
            err.println(DisplayText.oneLine(String.valueOf(e.getMessage())));
            line.usage(err);
        }
        return ExitCode.WRONG_USAGE;
    }

    /** Without a command, shows the help. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.WRONG_USAGE;
    }

    /** Provides the version. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"patchbay " + ProductInfo.version()};
        }
    }
}
