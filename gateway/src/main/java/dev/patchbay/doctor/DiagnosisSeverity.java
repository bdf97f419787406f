package dev.patchbay.doctor;

import java.util.Locale;

/** The severity of a diagnosis. */
public enum DiagnosisSeverity {
    /** A server, a tool or a host does not work. */
    ERROR,
    /** Works, but not completely or not everywhere. */
    WARNING,
    /** Works as configured; for information. */
    NOTE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
