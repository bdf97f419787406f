package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.oauth.LoginFlow;
import dev.patchbay.oauth.SignInFailed;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;

/** {@code patchbay login}: signs in to a server in the browser. */
@Command(
        name = "login",
        description =
                "Sign in to a server in the browser. Running gateways use the sign-in at once and"
                        + " renew it as long as the server allows.",
        mixinStandardHelpOptions = true)
final class LoginCommand implements Callable<Integer> {
    private final AppContext context;

    @Mixin private ConfigOption config = new ConfigOption();

    @Parameters(paramLabel = "ID", description = "The name of the server.")
    private String id;

    @Option(
            names = "--open",
            paramLabel = "COMMAND",
            description =
                    "The command that opens the page; the address is its last argument. Default:"
                            + " the system's browser.")
    private @Nullable String openCommand;

    @Option(names = "--no-open", description = "Print the address instead of opening a browser.")
    private boolean noOpen;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            defaultValue = "300",
            description = "How long to wait for the sign-in. Default: 300.")
    private int timeoutSeconds;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    LoginCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (timeoutSeconds < 1 || timeoutSeconds > 3_600) {
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE, "--timeout must be from 1 to 3600.");
        }
        LoginFlow login = LoginTargetResolver.resolve(context, config.file, id);
        var browser =
                noOpen
                        ? SystemBrowser.printOnly(context)
                        : SystemBrowser.withCommand(context, openCommand);
        try {
            printResult(login.run(browser, Duration.ofSeconds(timeoutSeconds)));
            return ExitCode.OK;
        } catch (SignInFailed e) {
            throw new CommandFailedException(
                    ExitCode.FAILED, "Not signed in to " + id + ": " + e.reason() + ".");
        }
    }

    private void printResult(LoginFlow.LoginResult done) {
        Terminal terminal = context.terminal();
        if (json) {
            var writer =
                    new JsonWriter()
                            .beginObject()
                            .member("serverId", id)
                            .member("issuer", done.issuer())
                            .member("scope", done.scope())
                            .member("renewable", done.isRenewable());
            if (done.expiresAt() != null) {
                writer.member("expiresAt", done.expiresAt().toString());
            }
            terminal.print(writer.endObject().toJson().toString());
            return;
        }
        terminal.print("Signed in to " + id + " at " + DisplayText.oneLine(done.issuer()));
        if (!done.isRenewable() && done.expiresAt() != null) {
            terminal.printMessage(
                    "The sign-in cannot be renewed automatically. It expires at "
                            + done.expiresAt());
        }
    }
}
