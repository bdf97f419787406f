package dev.patchbay.catalog;

import static dev.patchbay.catalog.SampleListings.id;
import static dev.patchbay.catalog.SampleListings.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

/** One bad entry costs one entry. */
@Tag("INV-MCP-ECO-002")
class ListingTest {
    private static final String GOOD = "{\"name\":\"good\",\"inputSchema\":{\"type\":\"object\"}}";

    private static void assertWithheld(String definition, String reason) {
        Listing listing = tools("a", definition, GOOD);
        assertThat(listing.tools()).extracting(it -> it.name().name()).containsExactly("good");
        assertThat(listing.withheld()).hasSize(1);
        assertThat(listing.withheld().getFirst().reason()).contains(reason);
    }

    private static String sanitizedDefinition(String definition) {
        return tools("a", definition).tools().getFirst().definition().toString();
    }

    private static String toolNamed(String name) {
        return "{\"name\":\"" + name + "\"}";
    }

    @Test
    void unusableNamesAreWithheld() {
        assertWithheld("{}", "name is empty");
        assertWithheld("{\"name\":5}", "name is empty");
        assertWithheld(toolNamed(""), "name is empty");
        assertWithheld(toolNamed("  "), "name is empty");
        assertWithheld(toolNamed("a\\u0000b"), "invisible");
        assertWithheld(toolNamed("a\\nb"), "invisible");
        assertWithheld(toolNamed("a\\u202eb"), "invisible");
        assertWithheld(toolNamed("a\\ud800"), "invisible");
        assertWithheld(toolNamed("n".repeat(257)), "longer than 256");
        assertWithheld("[1]", "not an object");
        assertWithheld("null", "not an object");
    }

    @Test
    void tooDeeplyNestedDefinitionIsWithheld() {
        String schema = "{\"type\":\"object\",\"default\":%s}";
        String deep = "[".repeat(489) + "]".repeat(489);
        assertWithheld(
                "{\"name\":\"x\",\"inputSchema\":" + schema.formatted(deep) + "}",
                "nests deeper than 490");
        String deepest = "[".repeat(488) + "]".repeat(488);
        Listing listing =
                tools("a", "{\"name\":\"x\",\"inputSchema\":" + schema.formatted(deepest) + "}");
        assertThat(listing.tools()).hasSize(1);
    }

    @Test
    void unusualNamesAreKept() {
        for (String name : List.of("a.b", "a b", "日本", "n".repeat(200), "a..b", ".a", "a/b")) {
            assertThat(tools("a", toolNamed(name)).tools()).as(name).hasSize(1);
        }
    }

    @Test
    void schemasThatMakeClientsDropTheWholeListAreWithheld() {
        assertWithheld("{\"name\":\"x\",\"inputSchema\":true}", "not an object");
        assertWithheld("{\"name\":\"x\",\"inputSchema\":null}", "not an object");
        assertWithheld("{\"name\":\"x\",\"inputSchema\":{\"type\":\"array\"}}", "not \"object\"");
        assertWithheld(
                "{\"name\":\"x\",\"inputSchema\":{\"type\":[\"object\"]}}", "not \"object\"");
        assertWithheld("{\"name\":\"x\",\"inputSchema\":{\"properties\":null}}", "no schemas");
        assertWithheld("{\"name\":\"x\",\"inputSchema\":{\"properties\":{\"a\":1}}}", "no schemas");
        assertWithheld("{\"name\":\"x\",\"inputSchema\":{\"required\":true}}", "no list of names");
    }

    @Test
    void invalidHeaderAnnotationIsWithheld() {
        assertWithheld(
                "{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
                        + "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"no name\"}}}}",
                "x-mcp-header");
    }

    @Test
    void schemasAreRepairedIfTheirMeaningIsUnchanged() {
        assertThat(sanitizedDefinition("{\"name\":\"x\"}"))
                .isEqualTo("{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"}}");
        assertThat(sanitizedDefinition("{\"inputSchema\":{},\"name\":\"x\"}"))
                .isEqualTo("{\"inputSchema\":{\"type\":\"object\"},\"name\":\"x\"}");
        assertThat(
                        sanitizedDefinition(
                                "{\"name\":\"x\",\"inputSchema\":"
                                        + "{\"properties\":{\"a\":true,\"b\":{}}}}"))
                .isEqualTo(
                        "{\"name\":\"x\",\"inputSchema\":{\"properties\":{\"a\":{},\"b\":{}},"
                                + "\"type\":\"object\"}}");
    }

    @Test
    void membersThatMakeClientsDropTheWholeListAreRemoved() {
        String bad =
                "{\"name\":\"x\",\"description\":null,\"title\":1,\"icons\":[{}],"
                        + "\"annotations\":{\"readOnlyHint\":\"yes\"},\"outputSchema\":null,"
                        + "\"_meta\":null,\"inputSchema\":{\"type\":\"object\"},\"x\":null}";
        assertThat(sanitizedDefinition(bad))
                .isEqualTo("{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"},\"x\":null}");
        assertThat(sanitizedDefinition(GOOD)).isEqualTo(GOOD);
    }

    @Test
    void firstOfTwoEntriesWithTheSameNameIsKept() {
        Listing listing =
                tools(
                        "a",
                        "{\"name\":\"s\",\"description\":\"first\"}",
                        "{\"name\":\"s\",\"description\":\"second\"}");
        assertThat(listing.tools()).extracting(Tool::description).containsExactly("first");
        assertThat(listing.withheld()).extracting(WithheldEntry::name).containsExactly("s");
    }

    @Test
    void nameEqualToAShortenedNameIsWithheld() {
        String shortened =
                new FullName(id("a"), "files.read")
                        .advertisedName(NameStyle.DOTTED)
                        .substring("a.".length());
        Listing listing = tools("a", toolNamed("files.read"), toolNamed(shortened));
        assertThat(listing.tools())
                .extracting(it -> it.name().name())
                .containsExactly("files.read");
    }

    @Test
    void definitionLargerThan512KibibytesIsWithheld() {
        String frame = "{\"name\":\"x\",\"description\":\"%s\"}";
        int room = 512 * 1024 - frame.formatted("").length();
        assertThat(tools("a", frame.formatted("d".repeat(room))).tools()).hasSize(1);
        assertWithheld(frame.formatted("d".repeat(room + 1)), "longer than");
    }

    @Test
    void descriptionOfOneMegabyteIsWithheld() {
        assertWithheld(
                "{\"name\":\"x\",\"description\":\"" + "d".repeat(1_000_000) + "\"}",
                "longer than");
    }

    @Test
    void toolsBeyondTheLimitAreWithheld() {
        var many = IntStream.range(0, 2_150).mapToObj(i -> Json.of(toolNamed("t" + i))).toList();
        var lists = new RawLists(many, List.of(), List.of(), List.of(), List.of());
        Listing listing = Listing.of(id("a"), lists, 2_000);
        assertThat(listing.tools()).hasSize(2_000);
        assertThat(listing.withheld()).hasSize(101);
        assertThat(listing.withheld().getLast().reason()).isEqualTo("50 more are withheld");
    }

    @Test
    void withheldNameIsTruncatedAndPrintable() {
        assertThat(new WithheldEntry("tool", "a\n\u001b[31m" + "x".repeat(200), "r").name())
                .startsWith("a\\n\\u001b[31m")
                .hasSizeLessThan(130);
    }

    @Test
    void resourceWithoutNameIsNamedByItsUri() {
        var lists =
                new RawLists(
                        List.of(),
                        List.of(),
                        List.of(Json.of("{\"uri\":\"x://1\"}"), Json.of("{\"name\":\"n\"}")),
                        List.of(),
                        List.of());
        Listing listing = Listing.of(id("a"), lists);
        assertThat(listing.resources())
                .extracting(it -> it.definition().toString())
                .containsExactly("{\"uri\":\"x://1\",\"name\":\"x://1\"}");
        assertThat(listing.withheld()).extracting(WithheldEntry::kind).containsExactly("resource");
    }

    @Test
    void limitedListingKeepsTheFirstEntriesThatFit() {
        Listing listing = tools("a", toolNamed("one"), toolNamed("two"), toolNamed("three"));
        long two = listing.tools().get(0).definition().length() * 2L;
        Listing limited = listing.limitedTo(two);
        assertThat(limited.tools())
                .extracting(it -> it.name().name())
                .containsExactly("one", "two");
        assertThat(limited.bytes()).isEqualTo(two);
        assertThat(limited.withheld().getFirst().reason()).contains("1 tools are withheld");
        assertThat(listing.limitedTo(listing.bytes())).isSameAs(listing);
        assertThat(listing.limitedTo(0).tools()).isEmpty();
    }
}
