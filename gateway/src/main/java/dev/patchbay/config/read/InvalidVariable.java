package dev.patchbay.config.read;

import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.syntax.FindingCollector;
import dev.patchbay.config.syntax.FindingCollector.Location;

/** Explains what is wrong with something between brackets that is not a variable. */
final class InvalidVariable {
    private InvalidVariable() {}

    /**
     * @param inside what stands between the brackets
     * @param mayRefer whether secrets can be used in this place
     */
    static void addFinding(
            FindingCollector findings, Location spot, String inside, boolean mayRefer) {
        if (inside.startsWith("input:")) {
            findings.add(
                    Kind.WRONG_VALUE,
                    spot,
                    "${input:…} is a prompt of an editor, which Patchbay cannot show",
                    "Keep the value with patchbay secret set NAME and write ${secret:NAME} in env"
                            + " or headers");
        } else if (VariableExpander.isReference(inside) && !mayRefer) {
            findings.add(
                    Kind.WRONG_VALUE,
                    spot,
                    "A secret cannot be used here: others could read it",
                    "Use ${secret:NAME} and ${file:PATH} in env and headers only");
        } else if (VariableExpander.isReference(inside)) {
            findings.add(
                    Kind.WRONG_VALUE,
                    spot,
                    "Invalid reference to a secret",
                    "Write ${secret:NAME} with letters, digits, dots, hyphens and underscores, or"
                            + " ${file:PATH} with a path that begins with / or ~/");
        } else {
            findings.add(
                    Kind.WRONG_VALUE,
                    spot,
                    "Invalid variable after ${",
                    "Write ${NAME} or ${NAME:-default}, or $${ for these two characters");
        }
    }
}
