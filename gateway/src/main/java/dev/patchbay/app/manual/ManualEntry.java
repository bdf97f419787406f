package dev.patchbay.app.manual;

import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.util.List;
import java.util.stream.Stream;

/**
 * One command in the reference.
 *
 * @param synopsis the command line with all arguments
 * @param arguments the description of each argument and option
 * @param examples command lines, with comments
 */
public record ManualEntry(
        String name,
        String description,
        String synopsis,
        List<Argument> arguments,
        List<String> examples) {

    /** An argument or an option. */
    record Argument(String syntax, String description) {}

    /** All visible commands, in the order of the help. */
    public static List<ManualEntry> listAll(CommandSpec root) {
        return root.subcommands().values().stream()
                .map(command -> command.getCommandSpec())
                .filter(spec -> !spec.usageMessage().hidden())
                .map(ManualEntry::of)
                .toList();
    }

    private static ManualEntry of(CommandSpec spec) {
        Stream<ArgSpec> all =
                Stream.concat(
                        spec.positionalParameters().stream(),
                        spec.options().stream().filter(it -> !isHelp(it)));
        String synopsis =
                new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF))
                        .synopsis(0)
                        .replaceAll("\\s+", " ")
                        .replace("[-hV] ", "")
                        .replace(" patchbay ", "\npatchbay ")
                        .strip();
        return new ManualEntry(
                spec.name(),
                String.join(" ", spec.usageMessage().description()),
                synopsis,
                all.filter(it -> !it.hidden()).map(ManualEntry::argument).toList(),
                examples(spec));
    }

    /** The lines below the help that are command lines. */
    private static List<String> examples(CommandSpec spec) {
        return Stream.of(spec.usageMessage().footer())
                .map(String::strip)
                .filter(it -> it.startsWith("patchbay "))
                .toList();
    }

    private static boolean isHelp(OptionSpec option) {
        return option.usageHelp() || option.versionHelp();
    }

    private static Argument argument(ArgSpec spec) {
        String meaning = String.join(" ", spec.description());
        if (spec instanceof OptionSpec option) {
            String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
            return new Argument(String.join(", ", option.names()) + value, meaning);
        }
        return new Argument(spec.paramLabel(), meaning);
    }
}
