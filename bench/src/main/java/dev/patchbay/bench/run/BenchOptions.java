package dev.patchbay.bench.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What the command line of {@code bench/run} asks for. */
record BenchOptions(
        int runs, double warmupS, double durationS, List<String> only, Outputs outputs) {

    /** Where the figures go besides the terminal, and whether other gateways take part. */
    record Outputs(boolean write, boolean peers, Optional<Path> launcher) {}

    static final String HELP =
            """
            bench/run [OPTION]...: measures Patchbay beside its peers and its limits.

              --quick          one run with short windows: about two minutes, rough figures
              --only A,B       only these scenarios; "start-" stands for all whose names begin so
              --runs N         alternating runs (5)
              --warmup S       seconds before a program that compiles while it runs is measured (8)
              --duration S     seconds that are measured (3)
              --peers          the gateways of bench/peers as well, installed from npm
              --write          write the page docs/performance.md also when not everything was run
              --patchbay FILE  another launcher than the one of this folder
            """;

    static BenchOptions parse(List<String> arguments) {
        var quick = arguments.contains("--quick");
        var only = text(arguments, "--only").map(names -> List.of(names.split(",")));
        var write = arguments.contains("--write") || !quick && only.isEmpty();
        return new BenchOptions(
                (int) number(arguments, "--runs", quick ? 1 : 5),
                number(arguments, "--warmup", quick ? 4 : 8),
                number(arguments, "--duration", quick ? 1 : 3),
                only.orElse(List.of()),
                new Outputs(
                        write,
                        arguments.contains("--peers"),
                        text(arguments, "--patchbay").map(Path::of)));
    }

    boolean includes(BenchScenario scenario) {
        return only.isEmpty()
                || only.contains(scenario.key())
                || only.stream().anyMatch(o -> o.endsWith("-") && scenario.key().startsWith(o));
    }

    private static Optional<String> text(List<String> arguments, String option) {
        var index = arguments.indexOf(option);
        return index < 0 || index + 1 == arguments.size()
                ? Optional.empty()
                : Optional.of(arguments.get(index + 1));
    }

    private static double number(List<String> arguments, String option, double otherwise) {
        return text(arguments, option).map(Double::valueOf).orElse(otherwise);
    }
}
