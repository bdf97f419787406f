package dev.patchbay.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What the load client printed in one run.
 *
 * @param fault the first thing that went wrong, or nothing
 */
record LoadResult(Map<String, Double> values, String fault) {
    private static final List<String> LOSS_METRICS =
            List.of(
                    "lost",
                    "strays",
                    "repeats",
                    "wrong",
                    "errors",
                    "refused",
                    "other_lines",
                    "failed");

    static LoadResult parse(Path output) throws IOException {
        var values = new HashMap<String, Double>();
        var fault = "";
        for (var line : Files.readAllLines(output)) {
            var space = line.indexOf(' ');
            var name = line.substring(0, Math.max(space, 0));
            var value = line.substring(space + 1);
            if (name.equals("fault") || name.equals("failed")) {
                fault = value;
            }
            if (name.equals("failed")) {
                values.put(name, 1.0);
            } else if (!name.equals("fault")) {
                values.put(name, Double.valueOf(value));
            }
        }
        values.put("losses", losses(values));
        return new LoadResult(Map.copyOf(values), fault);
    }

    OptionalDouble value(String name) {
        var value = values.get(name);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Answers that did not come, came twice, or were not the right ones; a failed run is one. */
    double losses() {
        return losses(values);
    }

    private static double losses(Map<String, Double> values) {
        return LOSS_METRICS.stream().mapToDouble(name -> values.getOrDefault(name, 0.0)).sum();
    }
}
