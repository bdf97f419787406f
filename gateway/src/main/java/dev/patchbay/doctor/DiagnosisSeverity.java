package dev.patchbay.doctor;

import java.util.Locale;

/** How bad it is. */
public enum DiagnosisSeverity {
    /** A server, a tool or a host does not work. */
    ERROR,
    /** It works here, but not completely or not everywhere. */
    WARNING,
    /** It is so because somebody wants it so. */
    NOTE;

    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
