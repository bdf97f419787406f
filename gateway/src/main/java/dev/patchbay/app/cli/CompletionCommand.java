package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ExitCode;

import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/**
 * {@code patchbay completion}: prints the completions of a shell. The names of commands are part of
 * them; everything else comes from {@code patchbay candidates} when it is wanted.
 */
@Command(
        name = "completion",
        description =
                "Print completions for bash, zsh or fish: commands, options, servers, tools, hosts"
                        + " and the keys of arguments. Usage: source <(patchbay completion)",
        mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
    /** The shell. */
    enum Shell {
        BASH,
        ZSH,
        FISH
    }

    private static final String BASH =
            """
            # Completions of patchbay for bash. Other shells: patchbay completion zsh, fish
            if [ -n "${ZSH_VERSION-}" ]; then
                eval "$(patchbay completion zsh)"
                return
            fi
            _patchbay() {
                local current=${COMP_WORDS[COMP_CWORD]}
                local candidates
                if [ "$COMP_CWORD" -eq 1 ]; then
                    candidates='COMMANDS'
                else
                    candidates=$("${COMP_WORDS[0]}" candidates -- \
                        "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                fi
                COMPREPLY=($(compgen -W "$candidates" -- "$current"))
                case ${COMPREPLY[0]-} in *=) compopt -o nospace 2>/dev/null ;; esac
            }
            complete -o default -F _patchbay patchbay
            """;

    private static final String ZSH =
            """
            #compdef patchbay
            # Completions of patchbay for zsh.
            _patchbay() {
                local -a candidates keys names
                if (( CURRENT == 2 )); then
                    candidates=(COMMANDS)
                else
                    candidates=("${(@f)$("${words[1]}" candidates -- "${(@)words[2,CURRENT]}" \
                        2>/dev/null)}")
                fi
                keys=(${(M)candidates:#*=})
                names=(${candidates:#*=})
                (( ${#keys} )) && compadd -S '' -a keys
                (( ${#names} )) && compadd -a names
                (( ${#keys} + ${#names} )) || _files
            }
            compdef _patchbay patchbay
            """;

    private static final String FISH =
            """
            # Completions of patchbay for fish.
            function __patchbay_candidates
                set -l words (commandline -opc) (commandline -ct)
                if test (count $words) -le 2
                    string split ' ' 'COMMANDS'
                else
                    $words[1] candidates -- $words[2..-1] 2>/dev/null
                end
            end
            complete -c patchbay -f -a '(__patchbay_candidates)'
            complete -c patchbay -l config -r -F
            """;

    private final AppContext context;

    @Parameters(
            arity = "0..1",
            paramLabel = "SHELL",
            description = "bash, zsh or fish. Default: bash.")
    private Shell shell = Shell.BASH;

    CompletionCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        String script =
                switch (shell) {
                    case BASH -> BASH;
                    case ZSH -> ZSH;
                    case FISH -> FISH;
                };
        String commands = CandidatesCommand.names().collect(Collectors.joining(" "));
        context.terminal().print(script.replace("COMMANDS", commands).stripTrailing());
        return ExitCode.OK;
    }
}
