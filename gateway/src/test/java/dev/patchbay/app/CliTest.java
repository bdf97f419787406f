package dev.patchbay.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.config.Surroundings;
import dev.patchbay.config.Surroundings.Platform;
import dev.patchbay.stdio.StandardStreams;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A command that is read alone is the command that is read among all others. */
class CliTest {
    private static final String[] NOTHING = {};

    static List<String> names() {
        return Cli.COMMANDS.stream().map(Cli::name).toList();
    }

    @Test
    void withoutACommandAllAreKnown() {
        var known = Cli.reading(NOTHING, context()).getSubcommands().keySet();
        assertThat(known).containsExactlyElementsOf(names());
        String[] unknown = {"serves"};
        assertThat(Cli.reading(unknown, context()).getSubcommands().keySet()).isEqualTo(known);
    }

    @ParameterizedTest
    @MethodSource("names")
    void aCommandAloneIsToldOfTheSame(String name) {
        var among = Cli.reading(NOTHING, context()).getSubcommands().get(name);
        String[] words = {name, "--help"};
        var alone = Cli.reading(words, context()).getSubcommands().get(name);
        assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
    }

    @Test
    void aSignInIsWaitedForFiveMinutes() {
        String[] words = {"login", "--help"};
        var login = Cli.reading(words, context()).getSubcommands().get("login").getCommandSpec();
        assertThat(login.findOption("--timeout").defaultValue()).isEqualTo("300");
    }

    @Test
    void whatTellsOfAllCommandsKnowsThem() {
        String[] words = {"completion"};
        assertThat(Cli.reading(words, context()).getSubcommands()).hasSize(names().size());
    }

    private static Context context() {
        var streams =
                new StandardStreams(InputStream.nullInputStream(), new ByteArrayOutputStream());
        var here = new Surroundings(Platform.LINUX, Path.of("/"), Path.of("/"), Map.of());
        return new Context(streams, Terminal.of(streams.out(), Map.of()), here);
    }
}
