package dev.patchbay.conformance.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.claims.ClaimFile.Claim;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Every section of README and the guide names the tests or commands that prove it. The files in
 * {@code resources/claims} list them by the anchor of the section, so that a text can be reworded
 * freely, but no section can be added without a proof.
 */
class ClaimsTest {
    private static final Path ROOT = Path.of(System.getProperty("patchbay.launcher")).getParent();
    private static final Path CLAIMS_FOLDER = ROOT.resolve("conformance/src/test/resources/claims");

    /** Pages for contributors. */
    private static final Set<String> EXEMPT_PAGES =
            Set.of(
                    "docs/ARCHITECTURE.md",
                    "docs/DECISIONS.md",
                    "docs/PROMISES.md",
                    "docs/README.md",
                    "docs/STYLE.md");

    @Test
    void everySectionNamesItsProofs() throws IOException {
        for (ClaimFile file : readAll()) {
            assertThat(file.anchors())
                    .as("The anchors in %s are the sections of %s", file.file(), file.page())
                    .isEqualTo(MarkdownPage.read(ROOT, file.page()).anchors());
            assertThat(file.claims()).noneMatch(claim -> claim.proofs().isEmpty());
        }
    }

    @Test
    void everyProofExistsAndIsNamedOnceInItsSection() throws IOException {
        var proofs = ProofValidator.scan(ROOT);
        var faults = new ArrayList<String>();
        for (ClaimFile file : readAll()) {
            for (Claim claim : file.claims()) {
                String section = file.page() + "#" + claim.anchor() + ": ";
                assertThat(claim.proofs()).as(section).doesNotHaveDuplicates();
                for (String proof : claim.proofs()) {
                    proofs.findFault(proof).ifPresent(it -> faults.add(section + proof + it));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyPageHasAClaimFile() throws IOException {
        var pages = new TreeSet<>(List.of("README.md", "SECURITY.md"));
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.map(it -> "docs/" + it.getFileName())
                    .filter(it -> it.endsWith(".md") && !EXEMPT_PAGES.contains(it))
                    .forEach(pages::add);
        }
        assertThat(readAll().stream().map(ClaimFile::page))
                .containsExactlyInAnyOrderElementsOf(pages);
    }

    private static List<ClaimFile> readAll() throws IOException {
        var all = new ArrayList<ClaimFile>();
        try (Stream<Path> files = Files.list(CLAIMS_FOLDER)) {
            for (Path file : files.sorted().toList()) {
                all.add(ClaimFile.read(file));
            }
        }
        assertThat(all).isNotEmpty();
        return all;
    }
}
