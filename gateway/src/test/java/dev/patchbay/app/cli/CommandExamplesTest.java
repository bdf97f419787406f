package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.stdio.StandardStreams;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import picocli.CommandLine.Command;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

class CommandExamplesTest {
    private static final Pattern WORD = Pattern.compile("(?:'[^']*'|[^\\s'])+");

    static List<String> names() {
        return Cli.COMMANDS.stream()
                .filter(it -> !it.getAnnotation(Command.class).hidden())
                .map(Cli::commandName)
                .toList();
    }

    private static AppContext context() {
        var streams =
                new StandardStreams(InputStream.nullInputStream(), new ByteArrayOutputStream());
        var here = new Environment(Platform.LINUX, Path.of("/"), Path.of("/"), Map.of());
        return new AppContext(streams, Terminal.of(streams.out(), Map.of()), here);
    }

    private static String[] words(String example) {
        String command = example.replaceFirst("\\s+(#|>).*", "");
        var words = new ArrayList<String>();
        WORD.matcher(command).results().forEach(it -> words.add(it.group().replace("'", "")));
        return words.subList(1, words.size()).toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyCommandHasExamplesThatItUnderstands(String name) {
        assertThat(CommandExamples.of(name)).isNotEmpty();
        for (String example : CommandExamples.of(name)) {
            String[] words = words(example);
            var parsed = Cli.parserFor(words, context()).parseArgs(words);
            assertThat(parsed.subcommand().commandSpec().name()).isEqualTo(name);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void helpShowsTheExamples(String name) {
        String[] words = {name, "--help"};
        var command = Cli.parserFor(words, context()).getSubcommands().get(name);
        assertThat(command.getUsageMessage()).contains("Examples:", "  patchbay " + name);
    }
}
