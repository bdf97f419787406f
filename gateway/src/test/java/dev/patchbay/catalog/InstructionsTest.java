package dev.patchbay.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Offer.Standing;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class InstructionsTest {
    private static Offer offer(Standing standing, String server, String said) {
        return new Offer(Sample.tools(server).saying(said), standing);
    }

    private static Offer offer(String server, String said) {
        return offer(Standing.CURRENT, server, said);
    }

    @Test
    void areThoseOfEachServerUnderItsId() {
        Catalog catalog =
                Catalog.of(
                        List.of(offer("b", "Be brief.\n"), offer("a", "Be kind."), offer("c", "")));
        assertThat(catalog.instructions()).isEqualTo("# a\n\nBe kind.\n\n# b\n\nBe brief.");
    }

    @Test
    void ofAServerThatIsAloneAreItsOwn() {
        assertThat(Catalog.of(List.of(offer("a", "Be kind."))).instructions())
                .isEqualTo("Be kind.");
    }

    @Test
    void ofADisabledServerAreLeftOut() {
        Catalog catalog =
                Catalog.of(
                        List.of(
                                offer(Standing.DISABLED, "a", "Be kind."),
                                offer(Standing.STALE, "b", "Be brief."),
                                offer("c", "")));
        assertThat(catalog.instructions()).isEqualTo("# b\n\nBe brief.");
    }

    @Test
    void areNoneWhereNobodySaysAny() {
        assertThat(Catalog.of(List.of(offer("a", " \n"), offer("b", ""))).instructions()).isEmpty();
    }

    @Test
    void areCutBetweenCharactersWhereTheyAreTooLong() {
        for (String before : List.of("", "x")) {
            String said = Sample.tools("a").saying(before + "😀".repeat(10_000)).instructions();
            assertThat(said).hasSizeLessThanOrEqualTo(8_000).endsWith(" […]");
            assertThat(said.codePoints()).noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
        }
    }

    @Test
    void ofManyServersAreBoundedAndSaySo() {
        var offers = new ArrayList<Offer>();
        for (int i = 0; i < 100; i++) {
            offers.add(offer("s" + i, "x".repeat(20_000)));
        }
        String said = Catalog.of(offers).instructions();
        assertThat(said).hasSizeLessThan(65_000).endsWith("more servers say is left out.)");
    }
}
