package dev.patchbay.catalog;

import static dev.patchbay.catalog.Sample.id;
import static dev.patchbay.catalog.Sample.tools;

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

    private static void withheld(String definition, String reason) {
        Listing listing = tools("a", definition, GOOD);
        assertThat(listing.tools()).extracting(it -> it.name().name()).containsExactly("good");
        assertThat(listing.withheld()).hasSize(1);
        assertThat(listing.withheld().getFirst().reason()).contains(reason);
    }

    private static String shown(String definition) {
        return tools("a", definition).tools().getFirst().definition().toString();
    }

    private static String named(String name) {
        return "{\"name\":\"" + name + "\"}";
    }

    @Test
    void namesThatNobodyCouldUseAreWithheld() {
        withheld("{}", "name is empty");
        withheld("{\"name\":5}", "name is empty");
        withheld(named(""), "name is empty");
        withheld(named("  "), "name is empty");
        withheld(named("a\\u0000b"), "invisible");
        withheld(named("a\\nb"), "invisible");
        withheld(named("a\\u202eb"), "invisible");
        withheld(named("a\\ud800"), "invisible");
        withheld(named("n".repeat(257)), "longer than 256");
        withheld("[1]", "not an object");
        withheld("null", "not an object");
    }

    @Test
    void aDefinitionThatNestsTooDeepCostsThatTool() {
        String schema = "{\"type\":\"object\",\"default\":%s}";
        String deep = "[".repeat(489) + "]".repeat(489);
        withheld(
                "{\"name\":\"x\",\"inputSchema\":" + schema.formatted(deep) + "}",
                "nests deeper than 490");
        String deepest = "[".repeat(488) + "]".repeat(488);
        Listing listing =
                tools("a", "{\"name\":\"x\",\"inputSchema\":" + schema.formatted(deepest) + "}");
        assertThat(listing.tools()).hasSize(1);
    }

    @Test
    void oddNamesAreKept() {
        for (String name : List.of("a.b", "a b", "日本", "n".repeat(200), "a..b", ".a", "a/b")) {
            assertThat(tools("a", named(name)).tools()).as(name).hasSize(1);
        }
    }

    @Test
    void schemasThatMakeClientsDropTheWholeListAreWithheld() {
        withheld("{\"name\":\"x\",\"inputSchema\":true}", "not an object");
        withheld("{\"name\":\"x\",\"inputSchema\":null}", "not an object");
        withheld("{\"name\":\"x\",\"inputSchema\":{\"type\":\"array\"}}", "not \"object\"");
        withheld("{\"name\":\"x\",\"inputSchema\":{\"type\":[\"object\"]}}", "not \"object\"");
        withheld("{\"name\":\"x\",\"inputSchema\":{\"properties\":null}}", "no schemas");
        withheld("{\"name\":\"x\",\"inputSchema\":{\"properties\":{\"a\":1}}}", "no schemas");
        withheld("{\"name\":\"x\",\"inputSchema\":{\"required\":true}}", "no list of names");
    }

    @Test
    void aWrongMarkOfAHeaderCostsTheTool() {
        withheld(
                "{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
                        + "\"a\":{\"type\":\"string\",\"x-mcp-header\":\"no name\"}}}}",
                "x-mcp-header");
    }

    @Test
    void schemasAreMendedWhereTheirMeaningStays() {
        assertThat(shown("{\"name\":\"x\"}"))
                .isEqualTo("{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"}}");
        assertThat(shown("{\"inputSchema\":{},\"name\":\"x\"}"))
                .isEqualTo("{\"inputSchema\":{\"type\":\"object\"},\"name\":\"x\"}");
        assertThat(shown("{\"name\":\"x\",\"inputSchema\":{\"properties\":{\"a\":true,\"b\":{}}}}"))
                .isEqualTo(
                        "{\"name\":\"x\",\"inputSchema\":{\"properties\":{\"a\":{},\"b\":{}},"
                                + "\"type\":\"object\"}}");
    }

    @Test
    void membersThatMakeClientsDropTheWholeListAreLeftOut() {
        String bad =
                "{\"name\":\"x\",\"description\":null,\"title\":1,\"icons\":[{}],"
                        + "\"annotations\":{\"readOnlyHint\":\"yes\"},\"outputSchema\":null,"
                        + "\"_meta\":null,\"inputSchema\":{\"type\":\"object\"},\"x\":null}";
        assertThat(shown(bad))
                .isEqualTo("{\"name\":\"x\",\"inputSchema\":{\"type\":\"object\"},\"x\":null}");
        assertThat(shown(GOOD)).isEqualTo(GOOD);
    }

    @Test
    void theFirstOfTwoWithOneNameIsKept() {
        Listing listing =
                tools(
                        "a",
                        "{\"name\":\"s\",\"description\":\"first\"}",
                        "{\"name\":\"s\",\"description\":\"second\"}");
        assertThat(listing.tools()).extracting(Tool::description).containsExactly("first");
        assertThat(listing.withheld()).extracting(Withheld::name).containsExactly("s");
    }

    @Test
    void aNameThatIsTheShortenedNameOfAnotherIsWithheld() {
        String shortened =
                new FullName(id("a"), "files.read")
                        .advertised(NameStyle.DOTTED)
                        .substring("a.".length());
        Listing listing = tools("a", named("files.read"), named(shortened));
        assertThat(listing.tools())
                .extracting(it -> it.name().name())
                .containsExactly("files.read");
    }

    @Test
    void aDefinitionOfMoreThan512KibibytesCostsThatTool() {
        String frame = "{\"name\":\"x\",\"description\":\"%s\"}";
        int room = 512 * 1024 - frame.formatted("").length();
        assertThat(tools("a", frame.formatted("d".repeat(room))).tools()).hasSize(1);
        withheld(frame.formatted("d".repeat(room + 1)), "longer than");
    }

    @Test
    void aDescriptionOfOneMegabyteCostsThatTool() {
        withheld(
                "{\"name\":\"x\",\"description\":\"" + "d".repeat(1_000_000) + "\"}",
                "longer than");
    }

    @Test
    void moreToolsThanAllowedAreCut() {
        var many = IntStream.range(0, 2_150).mapToObj(i -> Json.of(named("t" + i))).toList();
        var lists = new Lists(many, List.of(), List.of(), List.of(), List.of());
        Listing listing = Listing.of(id("a"), lists, 2_000);
        assertThat(listing.tools()).hasSize(2_000);
        assertThat(listing.withheld()).hasSize(101);
        assertThat(listing.withheld().getLast().reason()).isEqualTo("50 more are withheld");
    }

    @Test
    void aWithheldNameIsShownShortAndPrintable() {
        assertThat(new Withheld("tool", "a\n\u001b[31m" + "x".repeat(200), "r").name())
                .startsWith("a\\u000a\\u001b[31m")
                .hasSizeLessThan(130);
    }

    @Test
    void aResourceWithoutANameIsCalledByItsUri() {
        var lists =
                new Lists(
                        List.of(),
                        List.of(),
                        List.of(Json.of("{\"uri\":\"x://1\"}"), Json.of("{\"name\":\"n\"}")),
                        List.of(),
                        List.of());
        Listing listing = Listing.of(id("a"), lists);
        assertThat(listing.resources())
                .extracting(it -> it.definition().toString())
                .containsExactly("{\"uri\":\"x://1\",\"name\":\"x://1\"}");
        assertThat(listing.withheld()).extracting(Withheld::kind).containsExactly("resource");
    }
}
