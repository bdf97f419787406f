package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * {@code patchbay candidates}: what may be the last of some words, for the completions of shells.
 * Starts no server.
 */
@Command(
        name = "candidates",
        hidden = true,
        description = "Print what can be the last of these words.",
        mixinStandardHelpOptions = true)
final class CandidatesCommand implements Callable<Integer> {
    private final AppContext context;

    @Parameters(paramLabel = "WORD", description = "The words after patchbay.")
    private List<String> words = List.of();

    CandidatesCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String last = words.isEmpty() ? "" : words.getLast();
        candidates(last)
                .filter(it -> it.startsWith(last))
                .sorted()
                .distinct()
                .forEach(context.terminal()::print);
        return ExitCode.OK;
    }

    private Stream<String> candidates(String last) {
        if (words.size() < 2) {
            return names();
        }
        Class<?> command =
                Cli.COMMANDS.stream()
                        .filter(it -> Cli.commandName(it).equals(words.getFirst()))
                        .findFirst()
                        .orElse(null);
        if (command == null) {
            return Stream.empty();
        }
        CommandSpec spec = new CommandLine(command, new CommandFactory(context)).getCommandSpec();
        if (last.startsWith("-")) {
            return spec.options().stream().filter(it -> !it.hidden()).map(OptionSpec::longestName);
        }
        String before = words.get(words.size() - 2);
        if (takesValue(spec, before)) {
            return before.equals("--server")
                    ? new KnownNames(context, words).servers()
                    : Stream.empty();
        }
        return values(words.getFirst(), positionals(spec));
    }

    /** The arguments before the last word, without options and their values. */
    private List<String> positionals(CommandSpec spec) {
        var found = new ArrayList<String>();
        for (int i = 1; i < words.size() - 1; i++) {
            if (!words.get(i).startsWith("-") && !takesValue(spec, words.get(i - 1))) {
                found.add(words.get(i));
            }
        }
        return found;
    }

    private static boolean takesValue(CommandSpec spec, String word) {
        OptionSpec option = spec.findOption(word);
        return option != null && option.arity().max() > 0;
    }

    /** The names of the commands that the help shows. */
    static Stream<String> names() {
        return Cli.COMMANDS.stream()
                .filter(it -> !it.getAnnotation(Command.class).hidden())
                .map(Cli::commandName);
    }

    private Stream<String> values(String command, List<String> before) {
        var known = new KnownNames(context, words);
        return switch (command) {
            case "call" -> before.isEmpty() ? known.tools() : known.arguments(before.getFirst());
            case "describe" -> known.tools();
            case "doctor" -> Stream.concat(known.servers(), known.tools());
            case "logs", "login", "logout", "enable", "disable", "remove" -> known.servers();
            case "install", "uninstall", "import", "adopt" -> known.hosts();
            case "daemon" -> Stream.of("status", "start", "stop", "restart", "logs");
            case "token" -> Stream.of("add", "list", "revoke");
            case "secret" -> Stream.of("set", "list", "remove");
            case "completion" -> Stream.of("bash", "zsh", "fish");
            default -> Stream.empty();
        };
    }
}
