package dev.patchbay.registry;

import java.util.ArrayList;
import java.util.List;

/**
 * A text with places for values that the user gives.
 *
 * @param parts literal texts and places, in order
 */
record ValueTemplate(List<Part> parts) {
    /** A piece of the text. */
    sealed interface Part {
        /** Text from the registry or the bundle. No variable in it is expanded. */
        record Literal(String text) implements Part {}

        /** The place of a value. */
        record Slot(DeclaredInput input) implements Part {}
    }

    ValueTemplate {
        parts = List.copyOf(parts);
    }

    static ValueTemplate literal(String text) {
        return new ValueTemplate(List.of(new Part.Literal(text)));
    }

    static ValueTemplate of(DeclaredInput input) {
        return new ValueTemplate(List.of(new Part.Slot(input)));
    }

    List<DeclaredInput> inputs() {
        var inputs = new ArrayList<DeclaredInput>();
        for (Part part : parts) {
            if (part instanceof Part.Slot(DeclaredInput input)) {
                inputs.add(input);
            }
        }
        return inputs;
    }
}
