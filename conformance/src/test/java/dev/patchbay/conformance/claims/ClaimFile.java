package dev.patchbay.conformance.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The proofs of one page. The first line of the file is {@code page PATH}. Then each section of the
 * page has a line with its anchor, {@code #anchor}, followed by its proofs, one per indented line.
 */
record ClaimFile(Path file, String page, List<Claim> claims) {
    /** A section of the page, and the tests or commands that prove what it says. */
    record Claim(String anchor, List<String> proofs) {}

    static ClaimFile read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().startsWith("page ")) {
            throw new AssertionError(file + ": the first line must be: page PATH");
        }
        var claims = new ArrayList<Claim>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("#")) {
                claims.add(new Claim(line.substring(1), new ArrayList<>()));
            } else if (line.startsWith("  ") && !claims.isEmpty()) {
                claims.getLast().proofs().add(line.strip());
            } else if (!line.isBlank()) {
                throw new AssertionError(file + ": neither an anchor nor a proof: " + line);
            }
        }
        return new ClaimFile(file, lines.getFirst().substring("page ".length()), claims);
    }

    List<String> anchors() {
        return claims.stream().map(Claim::anchor).toList();
    }
}
