/**
 * Traces, metrics and logs over OTLP. The only package that knows OpenTelemetry; it is loaded only
 * if telemetry is configured. Start with {@link dev.patchbay.telemetry.Telemetry}.
 */
@NullMarked
package dev.patchbay.telemetry;

import org.jspecify.annotations.NullMarked;
