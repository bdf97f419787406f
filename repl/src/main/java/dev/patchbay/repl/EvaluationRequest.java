package dev.patchbay.repl;

/**
 * Code to be evaluated.
 *
 * @param runs how often the last snippet of it runs
 * @param profile what to profile it by: cpu, wall or allocation; empty for no profile
 */
record EvaluationRequest(String code, int runs, String profile) {
    static EvaluationRequest of(String code) {
        return new EvaluationRequest(code, 1, "");
    }
}
