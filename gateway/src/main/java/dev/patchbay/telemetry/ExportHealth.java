package dev.patchbay.telemetry;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.text.DisplayText;

import io.opentelemetry.sdk.common.CompletableResultCode;

import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.Set;

/**
 * Reports that telemetry cannot be delivered: once when that begins, and once when it ends. What
 * cannot be delivered is dropped.
 */
final class ExportHealth {
    private final String receiver;

    /** The signals whose last export failed; guarded by this. */
    private final Set<String> failing = new HashSet<>();

    ExportHealth(String receiver) {
        this.receiver = receiver;
    }

    /** Watches the result of an export of traces, metrics or logs. */
    CompletableResultCode watch(String signal, CompletableResultCode result) {
        return result.whenComplete(
                () -> {
                    if (result.isSuccess()) {
                        onDelivered(signal);
                    } else {
                        onFailed(signal, result.getFailureThrowable());
                    }
                });
    }

    private synchronized void onDelivered(String signal) {
        if (failing.remove(signal) && failing.isEmpty()) {
            log().log(INFO, "Telemetry is delivered to {0} again", receiver);
        }
    }

    private synchronized void onFailed(String signal, @Nullable Throwable cause) {
        if (failing.add(signal) && failing.size() == 1) {
            log().log(
                            WARNING,
                            "Telemetry cannot be delivered to {0}: {1}. It is dropped until the"
                                    + " receiver answers; calls are not affected.",
                            receiver,
                            reason(cause));
        }
    }

    private static String reason(@Nullable Throwable cause) {
        if (cause == null) {
            return "it does not answer or refuses";
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage();
        String name = root.getClass().getSimpleName();
        return DisplayText.escape(message == null ? name : name + ": " + message);
    }

    private static System.Logger log() {
        return System.getLogger(ExportHealth.class.getName());
    }
}
