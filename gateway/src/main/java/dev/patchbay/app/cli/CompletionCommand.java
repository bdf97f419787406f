package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code patchbay completion}: prints a completion script for bash and zsh. */
@Command(
        name = "completion",
        description = "Print completions for bash and zsh. Usage: source <(patchbay completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    private final AppContext context;

    @Spec private CommandSpec spec;

    CompletionCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        context.terminal().print(AutoComplete.bash("patchbay", spec.root().commandLine()));
        return ExitCode.OK;
    }
}
