package dev.patchbay.catalog;

import static dev.patchbay.catalog.Sample.id;
import static dev.patchbay.catalog.Sample.offer;
import static dev.patchbay.catalog.Sample.prompts;
import static dev.patchbay.catalog.Sample.resources;
import static dev.patchbay.catalog.Sample.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Lookup.Absent;
import dev.patchbay.catalog.Lookup.Ambiguous;
import dev.patchbay.catalog.Lookup.Found;
import dev.patchbay.catalog.Offer.Standing;
import dev.patchbay.mcp.Era;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

class CatalogTest {
    private static String found(Catalog catalog, String name) {
        return catalog.tool(name) instanceof Found<Tool>(Tool tool) ? tool.name().text() : "-";
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void twoServersBothProvideSearchToolNoCollision() {
        Catalog catalog = Catalog.of(List.of(offer("b", "search"), offer("a", "search")));
        assertThat(catalog.tools())
                .extracting(it -> it.name().text())
                .containsExactly("a.search", "b.search");
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void lookupSearchFailsAsAmbiguousIfMultipleExist() {
        Catalog catalog = Catalog.of(List.of(offer("b", "search"), offer("a", "search")));
        assertThat(catalog.tool("search"))
                .isEqualTo(
                        new Ambiguous<Tool>(
                                List.of(
                                        new FullName(id("a"), "search"),
                                        new FullName(id("b"), "search"))));
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void lookupServerASearchSucceedsUnambiguously() {
        Catalog catalog =
                Catalog.of(List.of(offer("server-b", "search"), offer("server-a", "search")));
        assertThat(found(catalog, "server-a.search")).isEqualTo("server-a.search");
        assertThat(found(catalog, "server-a__search")).isEqualTo("server-a.search");
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void idsThatBeginAlikeStayApart() {
        Catalog catalog =
                Catalog.of(List.of(offer("a", "b-c", "b_c", "b__c"), offer("a-b", "c", "-c")));
        assertThat(catalog.tools()).hasSize(5);
        for (NameStyle style : List.of(NameStyle.DOTTED, NameStyle.SAFE)) {
            for (Tool tool : catalog.tools()) {
                assertThat(found(catalog, catalog.advertised(tool, style)))
                        .isEqualTo(tool.name().text());
            }
        }
        assertThat(found(catalog, "a-b.c")).isEqualTo("a-b.c");
        assertThat(found(catalog, "a.b-c")).isEqualTo("a.b-c");
    }

    /** MCP wants names to be told apart by case; a client that does not is wrong about them. */
    @Test
    @Tag("INV-MCP-ECO-003")
    void namesThatDifferOnlyInCaseAreDifferentNames() {
        Catalog catalog = Catalog.of(List.of(offer("a", "Search", "search"), offer("A", "search")));
        assertThat(found(catalog, "a.Search")).isEqualTo("a.Search");
        assertThat(found(catalog, "a.search")).isEqualTo("a.search");
        assertThat(found(catalog, "A__search")).isEqualTo("A.search");
        assertThat(found(catalog, "Search")).isEqualTo("a.Search");
        assertThat(catalog.tool("search")).isInstanceOf(Ambiguous.class);
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void namesCutToTheSameLengthStayApart() {
        String head = "x".repeat(70);
        Catalog catalog = Catalog.of(List.of(offer("a", head + "1", head + "2")));
        var names = catalog.tools().stream().map(it -> catalog.advertised(it, NameStyle.SAFE));
        assertThat(names)
                .doesNotHaveDuplicates()
                .allMatch(it -> it.length() == 64 && found(catalog, it).startsWith("a." + head));
    }

    @Test
    void aBareNameIsUniqueOrNotAsServersComeAndGo() {
        Offer one = offer("a", "search");
        Offer other = offer("b", "search", "fetch");
        assertThat(found(Catalog.of(List.of(one)), "search")).isEqualTo("a.search");
        assertThat(Catalog.of(List.of(one, other)).tool("search")).isInstanceOf(Ambiguous.class);
        assertThat(found(Catalog.of(List.of(other)), "search")).isEqualTo("b.search");
        assertThat(found(Catalog.of(List.of(one, other)), "fetch")).isEqualTo("b.fetch");
    }

    @Test
    void aDisabledServerDoesNotCountForBareNamesButAnAbsentOneDoes() {
        Offer on = offer("a", "search");
        Catalog disabled = Catalog.of(List.of(on, offer(Standing.DISABLED, "b", "search")));
        assertThat(found(disabled, "search")).isEqualTo("a.search");
        assertThat(disabled.tool("b.search")).isEqualTo(new Absent<Tool>(id("b")));
        assertThat(disabled.tools()).hasSize(1);
        Catalog stale = Catalog.of(List.of(on, offer(Standing.STALE, "b", "search")));
        assertThat(stale.tool("search")).isInstanceOf(Ambiguous.class);
        assertThat(found(stale, "b.search")).isEqualTo("b.search");
    }

    @Test
    void toolNamesMayHaveDots() {
        Catalog catalog = Catalog.of(List.of(offer("a", "files.read", "..", "x y")));
        assertThat(found(catalog, "a.files.read")).isEqualTo("a.files.read");
        assertThat(found(catalog, "files.read")).isEqualTo("a.files.read");
        assertThat(found(catalog, "a...")).isEqualTo("a...");
        assertThat(found(catalog, "x y")).isEqualTo("a.x y");
    }

    /** A name that belongs to a server by its form is that server's as long as it may have it. */
    @Test
    void aBareNameThatLooksLikeAFullNameIsNotTakenFromAServerThatIsAway() {
        Offer z = offer("z", "x.y");
        assertThat(found(Catalog.of(List.of(z)), "x.y")).isEqualTo("z.x.y");
        assertThat(found(Catalog.of(List.of(z, offer("x", "other"))), "x.y")).isEqualTo("z.x.y");
        assertThat(found(Catalog.of(List.of(z, offer("x", "y"))), "x.y")).isEqualTo("x.y");
        for (Standing away : List.of(Standing.STALE, Standing.UNKNOWN, Standing.DISABLED)) {
            Catalog catalog = Catalog.of(List.of(z, offer(away, "x")));
            assertThat(catalog.tool("x.y")).as("%s", away).isEqualTo(new Absent<Tool>(id("x")));
        }
    }

    @Test
    void noServerGetsACallByTheGatewaysOwnName() {
        Catalog catalog = Catalog.of(List.of(offer("a", "patchbay.servers", "servers")));
        assertThat(catalog.tool("patchbay.servers")).isInstanceOf(Absent.class);
        assertThat(found(catalog, "servers")).isEqualTo("a.servers");
    }

    @Test
    void anUnknownNameIsAbsent() {
        Catalog catalog = Catalog.of(List.of(offer("a", "search")));
        for (String name : List.of("", "nope", "b.search", "A.search", "a.search.", "a.Search")) {
            assertThat(catalog.tool(name)).as(name).isInstanceOf(Absent.class);
        }
    }

    @Test
    void onlyTheNameOfADefinitionIsChanged() {
        var listing =
                tools(
                        "a",
                        "{\"title\":\"T\",\"name\":\"s\",\"x-new\":1.50,"
                                + "\"inputSchema\":{\"type\":\"object\",\"$comment\":\"é\"}}");
        Catalog catalog = Catalog.of(List.of(new Offer(listing, Standing.CURRENT)));
        assertThat(catalog.toolsResult(NameStyle.SAFE, Era.LEGACY))
                .hasToString(
                        "{\"tools\":[{\"title\":\"T\",\"name\":\"a__s\",\"x-new\":1.50,"
                                + "\"inputSchema\":{\"type\":\"object\",\"$comment\":\"é\"}}]}");
        assertThat(catalog.toolsResult(NameStyle.BARE, Era.LEGACY).toString())
                .contains("\"name\":\"s\"");
        assertThat(catalog.toolsResult(NameStyle.DOTTED, Era.LEGACY))
                .isSameAs(catalog.toolsResult(NameStyle.DOTTED, Era.LEGACY));
    }

    @Test
    void bareStyleShowsTheFullNameWhereTheBareOneWouldNotDo() {
        Catalog catalog = Catalog.of(List.of(offer("a", "search", "one"), offer("b", "search")));
        assertThat(catalog.tools())
                .extracting(it -> catalog.advertised(it, NameStyle.BARE))
                .containsExactly("a.search", "one", "b.search");
    }

    @Test
    void theOrderIsThatOfIdsAndThenTheServersOwn() {
        Offer a = offer("a", "z", "y");
        Offer b = offer("b", "x");
        assertThat(Catalog.of(List.of(b, a)).toolsResult(NameStyle.DOTTED, Era.LEGACY))
                .isEqualTo(Catalog.of(List.of(a, b)).toolsResult(NameStyle.DOTTED, Era.LEGACY));
        assertThat(Catalog.of(List.of(b, a)).tools())
                .extracting(it -> it.name().text())
                .containsExactly("a.z", "a.y", "b.x");
    }

    @Test
    void promptsAreNamedLikeTools() {
        Catalog catalog =
                Catalog.of(
                        List.of(
                                prompts("a", "{\"name\":\"greet\"}"),
                                prompts("b", "{\"name\":\"greet\"}")));
        assertThat(catalog.prompt("greet")).isInstanceOf(Ambiguous.class);
        assertThat(catalog.prompt("b.greet")).isInstanceOf(Found.class);
        assertThat(catalog.promptsResult(NameStyle.DOTTED))
                .hasToString("{\"prompts\":[{\"name\":\"a.greet\"},{\"name\":\"b.greet\"}]}");
    }

    @Test
    void theSameUriOfTwoServersIsToldApartAndLeadsBack() {
        Catalog catalog =
                Catalog.of(List.of(resources("b", "x://1", "x://2"), resources("a", "x://1")));
        assertThat(catalog.shownResources())
                .extracting(it -> it.memberText("uri"))
                .containsExactly("x://1", "patchbay+b:x://1", "x://2");
        assertThat(catalog.resource("x://1")).contains(new ResourceRoute(id("a"), "x://1"));
        assertThat(catalog.resource("patchbay+b:x://1"))
                .contains(new ResourceRoute(id("b"), "x://1"));
        assertThat(catalog.resource("patchbay+a:x://1"))
                .contains(new ResourceRoute(id("a"), "x://1"));
        assertThat(catalog.offeredUri(id("b"), "x://1")).isEqualTo("patchbay+b:x://1");
        assertThat(catalog.offeredUri(id("b"), "x://2")).isEqualTo("x://2");
    }

    @Test
    void aServerCannotOfferTheQualifiedUriOfAnother() {
        Catalog catalog =
                Catalog.of(List.of(resources("a", "patchbay+b:x://1"), resources("b", "x://1")));
        assertThat(catalog.resource("patchbay+b:x://1"))
                .contains(new ResourceRoute(id("b"), "x://1"));
        assertThat(catalog.resource("patchbay+a:patchbay+b:x://1"))
                .contains(new ResourceRoute(id("a"), "patchbay+b:x://1"));
    }

    @Test
    void aUriThatIsNotListedGoesToTheClosestTemplate() {
        Catalog catalog =
                Catalog.of(List.of(resources("a", "x://{+all}"), resources("b", "x://item/{id}")));
        assertThat(catalog.resource("x://item/7"))
                .contains(new ResourceRoute(id("b"), "x://item/7"));
        assertThat(catalog.resource("x://a/b")).contains(new ResourceRoute(id("a"), "x://a/b"));
        assertThat(catalog.resource("y://a")).isEmpty();
        assertThat(catalog.template("x://item/{id}"))
                .contains(new ResourceRoute(id("b"), "x://item/{id}"));
    }

    @Test
    void anUnlistedUriGoesToTheOnlyServerWithResources() {
        Catalog catalog = Catalog.of(List.of(resources("a", "x://1"), offer("b", "search")));
        assertThat(catalog.resource("y://new")).contains(new ResourceRoute(id("a"), "y://new"));
    }

    @Test
    void tellsWhetherClientsSeeTheSame() {
        Catalog one = Catalog.of(List.of(offer("a", "s")));
        assertThat(one.sameTools(Catalog.of(List.of(offer(Standing.STALE, "a", "s"))))).isTrue();
        assertThat(one.sameTools(Catalog.of(List.of(offer("a", "t"))))).isFalse();
        assertThat(one.sameResources(Catalog.EMPTY)).isTrue();
        assertThat(one.sameTools(Catalog.EMPTY)).isFalse();
    }

    /** Official clients of the legacy era drop the whole list for one such output schema. */
    @Test
    void legacyClientsDoNotSeeOutputSchemasTheyCannotTake() {
        var listing =
                tools(
                        "a",
                        "{\"name\":\"s\",\"outputSchema\":{\"type\":\"array\"}}",
                        "{\"name\":\"t\",\"outputSchema\":{\"type\":\"object\"}}");
        Catalog catalog = Catalog.of(List.of(new Offer(listing, Standing.CURRENT)));
        assertThat(catalog.shownTools(NameStyle.DOTTED, Era.LEGACY))
                .extracting(it -> it.member("outputSchema") != null)
                .containsExactly(false, true);
        assertThat(catalog.shownTools(NameStyle.DOTTED, Era.MODERN))
                .allMatch(it -> it.member("outputSchema") != null);
    }
}
