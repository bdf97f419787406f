package dev.patchbay.doctor;

import dev.patchbay.server.ServerSpec.Transport.Stdio;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What to do about a program that ends or is silent, by what it said last and how it is run. */
final class StderrAdvice {
    /** Programs that load what they run from the network, if it is not there yet. */
    private static final Set<String> PACKAGE_RUNNERS =
            Set.of("npx", "bunx", "pnpx", "pnpm", "yarn", "uvx", "uv", "pipx", "docker", "podman");

    private record KnownError(Pattern pattern, String nextStep) {}

    /** The first that fits counts. */
    private static final List<KnownError> KNOWN_ERRORS =
            List.of(
                    knownError(
                            "No module named",
                            "The python that runs here lacks a package: give the python of the"
                                    + " server's virtual environment as command, or install the"
                                    + " package for this one."),
                    knownError(
                            "\\bE404\\b|No solution found when resolving|manifest unknown",
                            "There is no such package where it was looked for: correct the name of"
                                    + " the package in args."),
                    knownError(
                            "EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|dns error"
                                    + "|network is unreachable|Temporary failure in name",
                            "It could not reach the network. A proxy of yours is not known to it:"
                                    + " add \"env\": {\"HTTPS_PROXY\": \"${HTTPS_PROXY}\"}."),
                    knownError(
                            "Cannot find (module|package)|ERR_MODULE_NOT_FOUND",
                            "Correct the path in args, or run npm install in the folder of the"
                                    + " server."),
                    knownError(
                            "(?=.*[A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=.*(not set|required|missing|must"
                                    + " be|environment|undefined|KeyError))",
                            "Set the variable that it names under env. Servers do not inherit your"
                                    + " full environment."));

    private static final String DEFAULT_NEXT_STEP =
            "Its last output says why. Often an argument, a variable under env or a package is"
                    + " missing. Run its command by hand to see all of them.";

    private StderrAdvice() {}

    private static KnownError knownError(String words, String nextStep) {
        return new KnownError(Pattern.compile(words), nextStep);
    }

    /** For one that ended. */
    static String nextStepAfterExit(List<String> words) {
        // Only what the program itself wrote: our own words are in the same list.
        List<String> own = words.stream().filter(line -> line.startsWith("std")).toList();
        return KNOWN_ERRORS.stream()
                .filter(it -> own.stream().anyMatch(line -> it.pattern().matcher(line).find()))
                .findFirst()
                .map(KnownError::nextStep)
                .orElse(DEFAULT_NEXT_STEP);
    }

    /** For one that runs and does not answer. */
    static String nextStepWithoutAnswer(Stdio stdio) {
        String name = String.valueOf(Path.of(stdio.command()).getFileName());
        return PACKAGE_RUNNERS.contains(name)
                ? "%s loads its package at the first start, which takes time and a network: run the"
                                .formatted(name)
                        + " command once by hand, or raise connectionTimeoutMs."
                : "Check that the command starts an MCP server over stdio and is not waiting"
                        + " for input. If it is only slow, raise connectionTimeoutMs.";
    }
}
