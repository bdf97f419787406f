package dev.patchbay.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
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
        return Cli.COMMANDS.stream().map(Cli::commandName).toList();
    }

    @Test
    void parserWithoutCommandKnowsAllCommands() {
        var known = Cli.parserFor(NOTHING, context()).getSubcommands().keySet();
        assertThat(known).containsExactlyElementsOf(names());
        String[] unknown = {"serves"};
        assertThat(Cli.parserFor(unknown, context()).getSubcommands().keySet()).isEqualTo(known);
    }

    @ParameterizedTest
    @MethodSource("names")
    void parserForOneCommandPrintsSameHelp(String name) {
        var among = Cli.parserFor(NOTHING, context()).getSubcommands().get(name);
        String[] words = {name, "--help"};
        var alone = Cli.parserFor(words, context()).getSubcommands().get(name);
        assertThat(alone.getUsageMessage()).isEqualTo(among.getUsageMessage());
    }

    @Test
    void loginTimeoutDefaultsToFiveMinutes() {
        String[] words = {"login", "--help"};
        var login = Cli.parserFor(words, context()).getSubcommands().get("login").getCommandSpec();
        assertThat(login.findOption("--timeout").defaultValue()).isEqualTo("300");
    }

    @Test
    void manualKnowsAllCommands() {
        String[] words = {"manual"};
        assertThat(Cli.parserFor(words, context()).getSubcommands()).hasSize(names().size());
    }

    private static AppContext context() {
        var streams =
                new StandardStreams(InputStream.nullInputStream(), new ByteArrayOutputStream());
        var here = new Environment(Platform.LINUX, Path.of("/"), Path.of("/"), Map.of());
        return new AppContext(streams, Terminal.of(streams.out(), Map.of()), here);
    }
}
