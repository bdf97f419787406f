package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.oauth.LoginFlow;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.Console;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Prints a URL and opens it in a browser, without a shell. */
final class SystemBrowser implements LoginFlow.BrowserLauncher {
    private final Terminal terminal;
    private final List<String> command;

    private SystemBrowser(Terminal terminal, List<String> command) {
        this.terminal = terminal;
        this.command = command;
    }

    /** Opens URLs with the command, or with the platform's browser if there is none. */
    static SystemBrowser withCommand(AppContext context, @Nullable String command) {
        List<String> words =
                command == null
                        ? defaultCommand(context.environment().platform())
                        : Arrays.asList(command.strip().split("\\s+", -1));
        return new SystemBrowser(context.terminal(), words);
    }

    /** Only prints URLs. */
    static SystemBrowser printOnly(AppContext context) {
        return new SystemBrowser(context.terminal(), List.of());
    }

    private static List<String> defaultCommand(Platform platform) {
        return switch (platform) {
            case LINUX -> List.of("xdg-open");
            case MACOS -> List.of("open");
            case WINDOWS -> List.of("rundll32", "url.dll,FileProtocolHandler");
        };
    }

    /** Shows the server, the issuer and the scopes; asks for confirmation on a terminal. */
    @Override
    public boolean confirm(LoginFlow.Summary summary) throws IOException {
        terminal.printMessage("Server: " + DisplayText.oneLine(summary.server().toString()));
        terminal.printMessage("Issuer: " + DisplayText.oneLine(summary.issuer()));
        String scope = summary.scope().isEmpty() ? "chosen by the issuer" : summary.scope();
        terminal.printMessage("Scopes: " + DisplayText.oneLine(scope));
        Optional<Console> console = terminal.console();
        if (console.isEmpty()) {
            return true;
        }
        terminal.printMessage("The server gets a token from this issuer. Continue? [Y/n]");
        String answer = console.get().readLine();
        return answer != null
                && (answer.isBlank() || answer.strip().toLowerCase(Locale.ROOT).startsWith("y"));
    }

    @Override
    public void open(URI url) {
        terminal.printMessage("Sign in at " + url);
        if (command.isEmpty()) {
            return;
        }
        var words = new ArrayList<>(command);
        words.add(url.toString());
        try {
            new ProcessBuilder(words)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .getOutputStream()
                    .close();
        } catch (IOException _) {
            terminal.printMessage(
                    command.getFirst() + " could not be started. Open the page yourself.");
        }
    }
}
