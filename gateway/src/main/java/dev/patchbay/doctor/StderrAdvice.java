package dev.patchbay.doctor;

import dev.patchbay.server.ServerSpec.Transport.Stdio;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The next step for a program that exits or does not answer, from its output and its command. */
final class StderrAdvice {
    /** Programs that download the package that they run. */
    private static final Set<String> PACKAGE_RUNNERS =
            Set.of("npx", "bunx", "pnpx", "pnpm", "yarn", "uvx", "uv", "pipx", "docker", "podman");

    private record KnownError(Pattern pattern, String nextStep) {}

    /** The first match counts. */
    private static final List<KnownError> KNOWN_ERRORS =
            List.of(
                    knownError(
                            "No module named",
                            "A Python package is missing: use the python of the"
                                    + " server's virtual environment as command, or install the"
                                    + " package for this one."),
                    knownError(
                            "\\bE404\\b|No solution found when resolving|manifest unknown",
                            "The package does not exist: correct the name of"
                                    + " the package in args."),
                    knownError(
                            "EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|dns error"
                                    + "|network is unreachable|Temporary failure in name",
                            "The program could not reach the network. If you use a proxy, pass it"
                                    + " on: add \"env\": {\"HTTPS_PROXY\": \"${HTTPS_PROXY}\"}."),
                    knownError(
                            "Cannot find (module|package)|ERR_MODULE_NOT_FOUND",
                            "Correct the path in args, or run npm install in the folder of the"
                                    + " server."),
                    knownError(
                            "(?=.*[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=.*(not set|required|missing|must"
                                    + " be|environment|undefined|KeyError))",
                            "Add %s under \"env\". Servers do not inherit your full environment."));

    private static final Pattern VARIABLE = Pattern.compile("[A-Z][A-Z0-9]*_[A-Z0-9_]+");

    private static final String DEFAULT_NEXT_STEP =
            "Its last output shows the reason. Often an argument, a variable under env or a package"
                    + " is missing. Run the command by hand to see all of it.";

    private StderrAdvice() {}

    private static KnownError knownError(String words, String nextStep) {
        return new KnownError(Pattern.compile(words), nextStep);
    }

    /** The next step for a program that exited. */
    static String nextStepAfterExit(List<String> words) {
        // The list also contains lines of the gateway; only the program's output counts.
        List<String> own = words.stream().filter(line -> line.startsWith("std")).toList();
        return KNOWN_ERRORS.stream()
                .filter(it -> own.stream().anyMatch(line -> it.pattern().matcher(line).find()))
                .findFirst()
                .map(it -> it.nextStep().formatted(variableIn(own)))
                .orElse(DEFAULT_NEXT_STEP);
    }

    /** The first environment variable that the output names. */
    private static String variableIn(List<String> lines) {
        return lines.stream()
                .flatMap(line -> VARIABLE.matcher(line).results())
                .map(MatchResult::group)
                .findFirst()
                .orElse("the variable");
    }

    /** The next step for a program that runs and does not answer. */
    static String nextStepWithoutAnswer(Stdio stdio) {
        String name = String.valueOf(Path.of(stdio.command()).getFileName());
        return PACKAGE_RUNNERS.contains(name)
                ? "%s downloads the package at the first start, which takes time: run the"
                                .formatted(name)
                        + " command once by hand, or raise connectionTimeoutMs."
                : "Check that the command starts an MCP server over stdio and is not waiting"
                        + " for input. If it is only slow, raise connectionTimeoutMs.";
    }
}
