package dev.patchbay.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UriReferenceTest {
    @ParameterizedTest
    @CsvSource({
        "g:h, g:h",
        "g, http://a/b/c/g",
        "./g, http://a/b/c/g",
        "g/, http://a/b/c/g/",
        "/g, http://a/g",
        "//g, http://g",
        "?y, http://a/b/c/d;p?y",
        "g?y, http://a/b/c/g?y",
        "#s, http://a/b/c/d;p?q#s",
        "g#s, http://a/b/c/g#s",
        "'', http://a/b/c/d;p?q",
        "., http://a/b/c/",
        ".., http://a/b/",
        "../g, http://a/b/g",
        "../../g, http://a/g",
        "../../../g, http://a/g",
        "./../g, http://a/b/g",
        "g/./h, http://a/b/c/g/h",
        "g/../h, http://a/b/c/h",
        "g;x=1/../y, http://a/b/c/y",
    })
    void resolvesAsRfc3986Specifies(String reference, String resolved) {
        UriReference home = UriReference.of("http://a/b/c/d;p?q");
        assertThat(home.resolve(UriReference.of(reference))).hasToString(resolved);
    }

    @Test
    void resolvesUrisWithoutPath() {
        UriReference urn = UriReference.of("urn:uuid:deadbeef");
        assertThat(urn.resolve(UriReference.of("#/a"))).hasToString("urn:uuid:deadbeef#/a");
        assertThat(UriReference.of("http://host").resolve(UriReference.of("a.json")))
                .hasToString("http://host/a.json");
    }

    @Test
    void decodesFragments() {
        assertThat(UriReference.of("#/a%25b%22%C3%A9").decodedFragment()).isEqualTo("/a%b\"é");
        assertThat(UriReference.of("#%zz%").decodedFragment()).isEqualTo("%zz%");
    }
}
