package dev.patchbay.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import static java.time.Duration.ofSeconds;

import dev.patchbay.catalog.UriTemplate.StepBudget;

import org.junit.jupiter.api.Test;

class UriTemplateTest {
    private static boolean matches(String template, String uri) {
        return UriTemplate.of(template).matches(uri, new StepBudget(1_000_000));
    }

    @Test
    void simpleExpressionMatchesWithinOneSegment() {
        assertThat(matches("demo://item/{id}", "demo://item/42")).isTrue();
        assertThat(matches("demo://item/{id}", "demo://item/42/x")).isFalse();
        assertThat(matches("demo://{kind}/{id}/raw", "demo://item/42/raw")).isTrue();
        assertThat(matches("demo://{kind}/{id}/raw", "demo://item/42/big")).isFalse();
        assertThat(matches("demo://{a}-{b}", "demo://x-y-z")).isTrue();
    }

    @Test
    void expressionWithOperatorMatchesAcrossSegments() {
        assertThat(matches("file://{+path}", "file:///etc/hosts")).isTrue();
        assertThat(matches("x://list{?page,size}", "x://list?page=1&size=2")).isTrue();
        assertThat(matches("x://list{?page,size}", "x://list")).isTrue();
    }

    @Test
    void templateWithoutExpressionMatchesItself() {
        assertThat(matches("x://a", "x://a")).isTrue();
        assertThat(matches("x://a", "x://ab")).isFalse();
        assertThat(matches("x://{open", "x://{open")).isTrue();
    }

    @Test
    void hostileTemplateMatchesInBoundedTime() {
        String template = "{a}a".repeat(500) + "b";
        String uri = "a".repeat(20_000);
        assertTimeoutPreemptively(
                ofSeconds(60), () -> assertThat(matches(template, uri)).isFalse());
    }
}
