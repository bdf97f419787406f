package dev.patchbay.conformance.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.claims.ClaimFile.Claim;
import dev.patchbay.conformance.claims.MarkdownPage.Sentence;

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
 * No sentence of README or guide without what shows it. The files in {@code claims} name for the
 * words of each page the tests or the command.
 */
class ClaimsTest {
    private static final Path ROOT = Path.of(System.getProperty("patchbay.launcher")).getParent();
    private static final Path CLAIMS_FOLDER = ROOT.resolve("conformance/src/test/resources/claims");

    /** A claim is about a sentence if this many characters of it are in both, or the whole. */
    private static final int COMMON_CHARS_MIN = 15;

    private static final Set<String> EXEMPT_PAGES =
            Set.of("docs/DECISIONS.md", "docs/STYLE.md", "docs/PROMISES.md");

    private static final long BLOCK_CHARS_MAX = 1_000_000;

    @Test
    void everyClaimQuotesItsPageOnceInOrder() throws IOException {
        var faults = new ArrayList<String>();
        for (ClaimFile claims : readAll()) {
            List<String> blocks = MarkdownPage.read(ROOT, claims.page()).blocks();
            long last = 0;
            for (Claim claim : claims.claims()) {
                List<String> in = blocks.stream().filter(it -> it.contains(claim.quote())).toList();
                if (in.size() != 1) {
                    faults.add(
                            fileName(claims) + ": " + in.size() + " times there: " + claim.quote());
                    continue;
                }
                long at = blocks.indexOf(in.getFirst()) * BLOCK_CHARS_MAX;
                at += in.getFirst().indexOf(claim.quote());
                if (at < last) {
                    faults.add(
                            fileName(claims) + ": not in the order of the page: " + claim.quote());
                }
                last = at;
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyProofExists() throws IOException {
        var proofs = ProofValidator.scan(ROOT);
        var faults = new ArrayList<String>();
        for (ClaimFile claims : readAll()) {
            for (Claim claim : claims.claims()) {
                if (claim.proofs().isEmpty()) {
                    faults.add(fileName(claims) + " has nothing below: " + claim.quote());
                }
                for (String proof : claim.proofs()) {
                    proofs.findFault(proof)
                            .ifPresent(
                                    it -> faults.add(fileName(claims) + ": " + proof + " " + it));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everySentenceHasAClaim() throws IOException {
        var faults = new ArrayList<String>();
        for (ClaimFile claims : readAll()) {
            for (String block : MarkdownPage.read(ROOT, claims.page()).blocks()) {
                for (Sentence sentence : MarkdownPage.splitSentences(block)) {
                    if (claims.claims().stream().noneMatch(it -> covers(it, sentence))) {
                        faults.add(
                                claims.page()
                                        + " says, and "
                                        + fileName(claims)
                                        + " does not say what shows it: "
                                        + sentence.text());
                    }
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    /** But for reasons and history, rules for writing, and what is itself a list of proofs. */
    @Test
    void everyPageHasAClaimFile() throws IOException {
        var pages = new TreeSet<>(List.of("README.md", "CONTRIBUTING.md", "SECURITY.md"));
        pages.add("bench/README.md");
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.map(it -> "docs/" + it.getFileName())
                    .filter(it -> it.endsWith(".md") && !EXEMPT_PAGES.contains(it))
                    .forEach(pages::add);
        }
        assertThat(readAll().stream().map(ClaimFile::page))
                .as("Each page needs a file in " + ROOT.relativize(CLAIMS_FOLDER))
                .containsAll(pages);
    }

    private static boolean covers(Claim claim, Sentence sentence) {
        String words = claim.quote();
        if (words.contains(sentence.text())) {
            return true;
        }
        int at = sentence.block().indexOf(words);
        int common = Math.min(at + words.length(), sentence.to()) - Math.max(at, sentence.from());
        return at >= 0 && common > 0 && common >= Math.min(COMMON_CHARS_MIN, words.length());
    }

    private static String fileName(ClaimFile claims) {
        return "claims/" + claims.file().getFileName();
    }

    private static List<ClaimFile> readAll() throws IOException {
        try (Stream<Path> files = Files.list(CLAIMS_FOLDER)) {
            var all = new ArrayList<ClaimFile>();
            for (Path file : files.sorted().toList()) {
                all.add(ClaimFile.read(file));
            }
            assertThat(all).isNotEmpty();
            return all;
        }
    }
}
