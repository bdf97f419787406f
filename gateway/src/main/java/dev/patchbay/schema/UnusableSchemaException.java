package dev.patchbay.schema;

/** Why a schema cannot be compiled. */
final class UnusableSchemaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    UnusableSchemaException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** A fault at a location of the schema. */
    UnusableSchemaException(ValueNode place, String fault) {
        this(ValidationText.locationText(place.pointer()) + ": " + fault);
    }

    String reason() {
        return reason;
    }
}
