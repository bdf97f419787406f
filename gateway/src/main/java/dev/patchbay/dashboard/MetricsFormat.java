package dev.patchbay.dashboard;

import org.jspecify.annotations.Nullable;

/** The text formats of metrics. */
enum MetricsFormat {
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8"),

    /** Has exemplars, which link a bucket of a histogram to a trace. */
    OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8");

    private final String contentType;

    MetricsFormat(String contentType) {
        this.contentType = contentType;
    }

    String contentType() {
        return contentType;
    }

    /** OpenMetrics if the {@code Accept} header names it. */
    static MetricsFormat acceptedBy(@Nullable String accept) {
        return accept != null && accept.contains("application/openmetrics-text")
                ? OPEN_METRICS
                : PROMETHEUS;
    }
}
