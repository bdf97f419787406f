package dev.patchbay.bench.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All readings of all runs. */
final class BenchResults {
    private record ResultKey(String scenario, String subject) {}

    /** The middle of several values, and how far they lie apart. */
    record Spread(double median, double min, double max) {
        static Spread of(double[] values) {
            var sorted = values.clone();
            Arrays.sort(sorted);
            var middle = sorted.length / 2;
            var median =
                    sorted.length % 2 == 1
                            ? sorted[middle]
                            : (sorted[middle - 1] + sorted[middle]) / 2;
            return new Spread(median, sorted[0], sorted[sorted.length - 1]);
        }
    }

    private final Map<ResultKey, List<LoadResult>> resultsByKey = new HashMap<>();

    void add(BenchScenario scenario, String subject, LoadResult reading) {
        resultsByKey
                .computeIfAbsent(new ResultKey(scenario.key(), subject), cell -> new ArrayList<>())
                .add(reading);
    }

    List<LoadResult> resultsOf(String scenario, String subject) {
        return resultsByKey.getOrDefault(new ResultKey(scenario, subject), List.of());
    }

    Optional<Spread> spread(String scenario, String subject, String value) {
        var values =
                resultsOf(scenario, subject).stream()
                        .flatMapToDouble(reading -> reading.value(value).stream())
                        .toArray();
        return values.length == 0 ? Optional.empty() : Optional.of(Spread.of(values));
    }

    /** The ratio of two values, taken within each run: both saw the same state of the machine. */
    Optional<Spread> ratio(Metric of, Metric to) {
        var above = resultsOf(of.scenario, of.subject);
        var below = resultsOf(to.scenario, to.subject);
        var ratios = new ArrayList<Double>();
        for (int run = 0; run < Math.min(above.size(), below.size()); run++) {
            var numerator = above.get(run).value(of.name);
            var denominator = below.get(run).value(to.name);
            if (numerator.isPresent() && denominator.orElse(0) > 0) {
                ratios.add(numerator.getAsDouble() / denominator.getAsDouble());
            }
        }
        return ratios.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        Spread.of(ratios.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /** One value of one subject in one scenario. */
    record Metric(String scenario, String subject, String name) {}
}
