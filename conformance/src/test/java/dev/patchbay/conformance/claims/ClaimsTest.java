package dev.patchbay.conformance.claims;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.claims.Claims.Claim;
import dev.patchbay.conformance.claims.Page.Sentence;

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
    private static final Path FILES = ROOT.resolve("conformance/src/test/resources/claims");

    /** A claim is about a sentence if this many characters of it are in both, or the whole. */
    private static final int COMMON_MIN = 15;

    private static final Set<String> WITHOUT =
            Set.of("docs/DECISIONS.md", "docs/STYLE.md", "docs/PROMISES.md");

    private static final long BLOCK_CHARS_MAX = 1_000_000;

    @Test
    void everyClaimStandsInItsPageOnceAndInOrder() throws IOException {
        var faults = new ArrayList<String>();
        for (Claims claims : all()) {
            List<String> blocks = Page.read(ROOT, claims.page()).blocks();
            long last = 0;
            for (Claim claim : claims.claims()) {
                List<String> in = blocks.stream().filter(it -> it.contains(claim.words())).toList();
                if (in.size() != 1) {
                    faults.add(name(claims) + ": " + in.size() + " times there: " + claim.words());
                    continue;
                }
                long at = blocks.indexOf(in.getFirst()) * BLOCK_CHARS_MAX;
                at += in.getFirst().indexOf(claim.words());
                if (at < last) {
                    faults.add(name(claims) + ": not in the order of the page: " + claim.words());
                }
                last = at;
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everyProofIsThere() throws IOException {
        var proofs = Proofs.of(ROOT);
        var faults = new ArrayList<String>();
        for (Claims claims : all()) {
            for (Claim claim : claims.claims()) {
                if (claim.proofs().isEmpty()) {
                    faults.add(name(claims) + " has nothing below: " + claim.words());
                }
                for (String proof : claim.proofs()) {
                    proofs.fault(proof)
                            .ifPresent(it -> faults.add(name(claims) + ": " + proof + " " + it));
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    @Test
    void everySentenceIsShown() throws IOException {
        var faults = new ArrayList<String>();
        for (Claims claims : all()) {
            for (String block : Page.read(ROOT, claims.page()).blocks()) {
                for (Sentence sentence : Page.sentences(block)) {
                    if (claims.claims().stream().noneMatch(it -> isAbout(it, sentence))) {
                        faults.add(
                                claims.page()
                                        + " says, and "
                                        + name(claims)
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
    void everyPageHasItsFile() throws IOException {
        var pages = new TreeSet<>(List.of("README.md", "CONTRIBUTING.md", "SECURITY.md"));
        pages.add("bench/README.md");
        try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
            docs.map(it -> "docs/" + it.getFileName())
                    .filter(it -> it.endsWith(".md") && !WITHOUT.contains(it))
                    .forEach(pages::add);
        }
        assertThat(all().stream().map(Claims::page))
                .as("Each page needs a file in " + ROOT.relativize(FILES))
                .containsAll(pages);
    }

    private static boolean isAbout(Claim claim, Sentence sentence) {
        String words = claim.words();
        if (words.contains(sentence.text())) {
            return true;
        }
        int at = sentence.block().indexOf(words);
        int common = Math.min(at + words.length(), sentence.to()) - Math.max(at, sentence.from());
        return at >= 0 && common > 0 && common >= Math.min(COMMON_MIN, words.length());
    }

    private static String name(Claims claims) {
        return "claims/" + claims.file().getFileName();
    }

    private static List<Claims> all() throws IOException {
        try (Stream<Path> files = Files.list(FILES)) {
            var all = new ArrayList<Claims>();
            for (Path file : files.sorted().toList()) {
                all.add(Claims.read(file));
            }
            assertThat(all).isNotEmpty();
            return all;
        }
    }
}
