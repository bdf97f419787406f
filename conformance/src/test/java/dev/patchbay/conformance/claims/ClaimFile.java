package dev.patchbay.conformance.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What one page claims, as its file says: the page in the first line, then for each claim its words
 * after {@code >} and below them, indented, what shows it.
 */
record ClaimFile(Path file, String page, List<Claim> claims) {
    /** Words of a page, and what shows that they are so. */
    record Claim(String quote, List<String> proofs) {}

    static ClaimFile read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().startsWith("page ")) {
            throw new AssertionError(file + " does not begin with: page PATH");
        }
        var claims = new ArrayList<Claim>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("> ")) {
                claims.add(
                        new Claim(
                                MarkdownPage.normalizeSpaces(line.substring(2)),
                                new ArrayList<>()));
            } else if (line.startsWith("  ") && !claims.isEmpty()) {
                claims.getLast().proofs().addAll(parseProofs(line.strip()));
            } else if (!line.isBlank()) {
                throw new AssertionError(file + " has a line that is neither: " + line);
            }
        }
        return new ClaimFile(file, lines.getFirst().substring("page ".length()), claims);
    }

    private static List<String> parseProofs(String line) {
        return line.startsWith("run: ") || line.startsWith("none: ")
                ? List.of(line)
                : List.of(line.replaceAll(",$", "").split(",\\s*", -1));
    }
}
