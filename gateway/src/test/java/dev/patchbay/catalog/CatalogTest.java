package dev.patchbay.catalog;

import static dev.patchbay.catalog.SampleListings.id;
import static dev.patchbay.catalog.SampleListings.offering;
import static dev.patchbay.catalog.SampleListings.prompts;
import static dev.patchbay.catalog.SampleListings.resources;
import static dev.patchbay.catalog.SampleListings.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.patchbay.catalog.LookupResult.Ambiguous;
import dev.patchbay.catalog.LookupResult.Found;
import dev.patchbay.catalog.LookupResult.NotFound;
import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.mcp.Era;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

class CatalogTest {
    private static String found(Catalog catalog, String name) {
        return catalog.findTool(name) instanceof Found<Tool>(Tool tool) ? tool.name().text() : "-";
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void twoServersBothProvideSearchToolNoCollision() {
        Catalog catalog = Catalog.of(List.of(offering("b", "search"), offering("a", "search")));
        assertThat(catalog.tools())
                .extracting(it -> it.name().text())
                .containsExactly("a.search", "b.search");
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void lookupSearchFailsAsAmbiguousIfMultipleExist() {
        Catalog catalog = Catalog.of(List.of(offering("b", "search"), offering("a", "search")));
        assertThat(catalog.findTool("search"))
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
                Catalog.of(List.of(offering("server-b", "search"), offering("server-a", "search")));
        assertThat(found(catalog, "server-a.search")).isEqualTo("server-a.search");
        assertThat(found(catalog, "server-a__search")).isEqualTo("server-a.search");
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void serverIdsWithACommonPrefixDoNotCollide() {
        Catalog catalog =
                Catalog.of(
                        List.of(offering("a", "b-c", "b_c", "b__c"), offering("a-b", "c", "-c")));
        assertThat(catalog.tools()).hasSize(5);
        for (NameStyle style : List.of(NameStyle.DOTTED, NameStyle.SAFE)) {
            for (Tool tool : catalog.tools()) {
                assertThat(found(catalog, catalog.advertisedName(tool, style)))
                        .isEqualTo(tool.name().text());
            }
        }
        assertThat(found(catalog, "a-b.c")).isEqualTo("a-b.c");
        assertThat(found(catalog, "a.b-c")).isEqualTo("a.b-c");
    }

    /** MCP wants names to be told apart by case; a client that does not is wrong about them. */
    @Test
    @Tag("INV-MCP-ECO-003")
    void namesAreCaseSensitive() {
        Catalog catalog =
                Catalog.of(List.of(offering("a", "Search", "search"), offering("A", "search")));
        assertThat(found(catalog, "a.Search")).isEqualTo("a.Search");
        assertThat(found(catalog, "a.search")).isEqualTo("a.search");
        assertThat(found(catalog, "A__search")).isEqualTo("A.search");
        assertThat(found(catalog, "Search")).isEqualTo("a.Search");
        assertThat(catalog.findTool("search")).isInstanceOf(Ambiguous.class);
    }

    @Test
    @Tag("INV-MCP-ECO-003")
    void truncatedNamesDoNotCollide() {
        String head = "x".repeat(70);
        Catalog catalog = Catalog.of(List.of(offering("a", head + "1", head + "2")));
        var names = catalog.tools().stream().map(it -> catalog.advertisedName(it, NameStyle.SAFE));
        assertThat(names)
                .doesNotHaveDuplicates()
                .allMatch(it -> it.length() == 64 && found(catalog, it).startsWith("a." + head));
    }

    @Test
    void bareNameUniquenessFollowsTheRegisteredServers() {
        ServerOffering one = offering("a", "search");
        ServerOffering other = offering("b", "search", "fetch");
        assertThat(found(Catalog.of(List.of(one)), "search")).isEqualTo("a.search");
        assertThat(Catalog.of(List.of(one, other)).findTool("search"))
                .isInstanceOf(Ambiguous.class);
        assertThat(found(Catalog.of(List.of(other)), "search")).isEqualTo("b.search");
        assertThat(found(Catalog.of(List.of(one, other)), "fetch")).isEqualTo("b.fetch");
    }

    @Test
    void bareNamesIgnoreDisabledServersButNotStaleOnes() {
        ServerOffering on = offering("a", "search");
        Catalog disabled = Catalog.of(List.of(on, offering(Freshness.DISABLED, "b", "search")));
        assertThat(found(disabled, "search")).isEqualTo("a.search");
        assertThat(disabled.findTool("b.search")).isEqualTo(new NotFound<Tool>(id("b")));
        assertThat(disabled.tools()).hasSize(1);
        Catalog stale = Catalog.of(List.of(on, offering(Freshness.STALE, "b", "search")));
        assertThat(stale.findTool("search")).isInstanceOf(Ambiguous.class);
        assertThat(found(stale, "b.search")).isEqualTo("b.search");
    }

    @Test
    void toolNamesMayHaveDots() {
        Catalog catalog = Catalog.of(List.of(offering("a", "files.read", "..", "x y")));
        assertThat(found(catalog, "a.files.read")).isEqualTo("a.files.read");
        assertThat(found(catalog, "files.read")).isEqualTo("a.files.read");
        assertThat(found(catalog, "a...")).isEqualTo("a...");
        assertThat(found(catalog, "x y")).isEqualTo("a.x y");
    }

    /** A name that belongs to a server by its form is that server's as long as it may have it. */
    @Test
    void bareNameNeverTakesTheFullNameOfAnUnavailableServer() {
        ServerOffering z = offering("z", "x.y");
        assertThat(found(Catalog.of(List.of(z)), "x.y")).isEqualTo("z.x.y");
        assertThat(found(Catalog.of(List.of(z, offering("x", "other"))), "x.y")).isEqualTo("z.x.y");
        assertThat(found(Catalog.of(List.of(z, offering("x", "y"))), "x.y")).isEqualTo("x.y");
        for (Freshness away : List.of(Freshness.STALE, Freshness.UNKNOWN, Freshness.DISABLED)) {
            Catalog catalog = Catalog.of(List.of(z, offering(away, "x")));
            assertThat(catalog.findTool("x.y"))
                    .as("%s", away)
                    .isEqualTo(new NotFound<Tool>(id("x")));
        }
    }

    @Test
    void serverCannotUseTheGatewayId() {
        Catalog catalog = Catalog.of(List.of(offering("a", "patchbay.servers", "servers")));
        assertThat(catalog.findTool("patchbay.servers")).isInstanceOf(NotFound.class);
        assertThat(found(catalog, "servers")).isEqualTo("a.servers");
    }

    @Test
    void unknownNameIsNotFound() {
        Catalog catalog = Catalog.of(List.of(offering("a", "search")));
        for (String name : List.of("", "nope", "b.search", "A.search", "a.search.", "a.Search")) {
            assertThat(catalog.findTool(name)).as(name).isInstanceOf(NotFound.class);
        }
    }

    @Test
    void definitionChangesOnlyInItsName() {
        var listing =
                tools(
                        "a",
                        "{\"title\":\"T\",\"name\":\"s\",\"x-new\":1.50,"
                                + "\"inputSchema\":{\"type\":\"object\",\"$comment\":\"é\"}}");
        Catalog catalog = Catalog.of(List.of(new ServerOffering(listing, Freshness.CURRENT)));
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
    void bareStyleAdvertisesTheFullNameWhenTheBareNameIsAmbiguous() {
        Catalog catalog =
                Catalog.of(List.of(offering("a", "search", "one"), offering("b", "search")));
        assertThat(catalog.tools())
                .extracting(it -> catalog.advertisedName(it, NameStyle.BARE))
                .containsExactly("a.search", "one", "b.search");
    }

    @Test
    void entriesAreOrderedByServerIdThenServerOrder() {
        ServerOffering a = offering("a", "z", "y");
        ServerOffering b = offering("b", "x");
        assertThat(Catalog.of(List.of(b, a)).toolsResult(NameStyle.DOTTED, Era.LEGACY))
                .isEqualTo(Catalog.of(List.of(a, b)).toolsResult(NameStyle.DOTTED, Era.LEGACY));
        assertThat(Catalog.of(List.of(b, a)).tools())
                .extracting(it -> it.name().text())
                .containsExactly("a.z", "a.y", "b.x");
    }

    @Test
    void promptsFollowTheNamingOfTools() {
        Catalog catalog =
                Catalog.of(
                        List.of(
                                prompts("a", "{\"name\":\"greet\"}"),
                                prompts("b", "{\"name\":\"greet\"}")));
        assertThat(catalog.findPrompt("greet")).isInstanceOf(Ambiguous.class);
        assertThat(catalog.findPrompt("b.greet")).isInstanceOf(Found.class);
        assertThat(catalog.promptsResult(NameStyle.DOTTED))
                .hasToString("{\"prompts\":[{\"name\":\"a.greet\"},{\"name\":\"b.greet\"}]}");
    }

    private static ResourceLookup found(String server, String uri) {
        return new ResourceLookup.Found(new ResourceRoute(id(server), uri));
    }

    @Test
    void sameUriOfTwoServersIsQualifiedForBothAndRoutesBack() {
        Catalog catalog =
                Catalog.of(List.of(resources("b", "x://1", "x://2"), resources("a", "x://1")));
        assertThat(catalog.advertisedResources())
                .extracting(it -> it.memberText("uri"))
                .containsExactly("patchbay+a:x://1", "patchbay+b:x://1", "x://2");
        assertThat(catalog.routeResource("patchbay+b:x://1")).isEqualTo(found("b", "x://1"));
        assertThat(catalog.routeResource("patchbay+a:x://1")).isEqualTo(found("a", "x://1"));
        assertThat(catalog.routeResource("patchbay+b:x://2")).isEqualTo(found("b", "x://2"));
        assertThat(catalog.routeResource("x://2")).isEqualTo(found("b", "x://2"));
        assertThat(catalog.routeResource("x://1"))
                .isEqualTo(
                        new ResourceLookup.Ambiguous(
                                List.of("patchbay+a:x://1", "patchbay+b:x://1")));
    }

    @Test
    void serverCannotOfferTheQualifiedUriOfAnother() {
        Catalog catalog =
                Catalog.of(List.of(resources("a", "patchbay+b:x://1"), resources("b", "x://1")));
        assertThat(catalog.routeResource("patchbay+b:x://1")).isEqualTo(found("b", "x://1"));
        assertThat(catalog.routeResource("patchbay+a:patchbay+b:x://1"))
                .isEqualTo(found("a", "patchbay+b:x://1"));
    }

    @Test
    void listedUriIsNeverTakenOverByATemplateOfAnotherServer() {
        Catalog catalog =
                Catalog.of(
                        List.of(
                                resources("aaa", "notes://team/{page}", "notes://team/pla{x}"),
                                resources("notes", "notes://team/plan")));
        assertThat(catalog.routeResource("notes://team/plan"))
                .isEqualTo(found("notes", "notes://team/plan"));
        assertThat(catalog.routeResource("notes://team/other"))
                .isEqualTo(found("aaa", "notes://team/other"));
    }

    /** Neither the id nor a longer literal makes one server win over another. */
    @Test
    void overlappingTemplatesOfTwoServersAreQualifiedForBoth() {
        Catalog catalog =
                Catalog.of(
                        List.of(
                                resources("aaa", "repo://acme/{file}", "other://{id}"),
                                resources("github", "repo://{owner}/{+path}")));
        assertThat(catalog.advertisedTemplates())
                .extracting(it -> it.memberText("uriTemplate"))
                .containsExactly(
                        "patchbay+aaa:repo://acme/{file}",
                        "other://{id}",
                        "patchbay+github:repo://{owner}/{+path}");
        assertThat(catalog.routeResource("repo://acme/x"))
                .isEqualTo(
                        new ResourceLookup.Ambiguous(
                                List.of(
                                        "patchbay+aaa:repo://acme/x",
                                        "patchbay+github:repo://acme/x")));
        assertThat(catalog.routeResource("patchbay+github:repo://acme/x"))
                .isEqualTo(found("github", "repo://acme/x"));
        assertThat(catalog.routeResource("repo://else/x"))
                .isEqualTo(found("github", "repo://else/x"));
        assertThat(catalog.routeTemplate("patchbay+aaa:repo://acme/{file}"))
                .isEqualTo(found("aaa", "repo://acme/{file}"));
        assertThat(catalog.routeTemplate("other://{id}")).isEqualTo(found("aaa", "other://{id}"));
    }

    @Test
    void templateThatMatchesEverythingQualifiesAllOtherTemplates() {
        Catalog catalog =
                Catalog.of(
                        List.of(
                                resources("a", "x://{id}", "y://{id}"),
                                resources("b", "{+uri}"),
                                resources("c", "z://{id}")));
        assertThat(catalog.advertisedTemplates())
                .extracting(it -> it.memberText("uriTemplate"))
                .allMatch(it -> it.startsWith("patchbay+"));
    }

    @Test
    void overlappingTemplatesOfOneServerKeepTheirUris() {
        Catalog catalog = Catalog.of(List.of(resources("a", "x://{+all}", "x://item/{id}")));
        assertThat(catalog.advertisedTemplates())
                .extracting(it -> it.memberText("uriTemplate"))
                .containsExactly("x://{+all}", "x://item/{id}");
        assertThat(catalog.routeResource("x://item/7")).isEqualTo(found("a", "x://item/7"));
        assertThat(catalog.routeTemplate("x://item/{id}")).isEqualTo(found("a", "x://item/{id}"));
    }

    @Test
    void unlistedUriRoutesToTheOnlyServerWithAMatchingTemplate() {
        Catalog catalog =
                Catalog.of(List.of(resources("a", "x://{id}"), resources("b", "y://item/{id}")));
        assertThat(catalog.routeResource("y://item/7")).isEqualTo(found("b", "y://item/7"));
        assertThat(catalog.routeResource("z://a")).isEqualTo(new ResourceLookup.NotFound());
    }

    @Test
    void unlistedUriRoutesToTheOnlyServerWithResources() {
        Catalog catalog = Catalog.of(List.of(resources("a", "x://1"), offering("b", "search")));
        assertThat(catalog.routeResource("y://new")).isEqualTo(found("a", "y://new"));
    }

    /** The templates are within all limits and almost match: each costs as much as it can. */
    @ParameterizedTest
    @ValueSource(
            strings = {"{a}", "{a}a", "{+a}a", "{+a}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"})
    void hostileTemplatesDoNotDelayReadsOfOtherServers(String unit) {
        var uris = new ArrayList<String>();
        for (int i = 0; i < 2_000; i++) {
            uris.add(unit.repeat(32) + "!" + i);
        }
        Catalog catalog =
                Catalog.of(
                        List.of(
                                resources("evil", uris.toArray(String[]::new)),
                                resources("good", "aaa{id}")));
        for (int length : new int[] {212, 2_012, 8_192}) {
            String uri = "a".repeat(length);
            ResourceLookup routed =
                    assertTimeoutPreemptively(
                            Duration.ofSeconds(60), () -> catalog.routeResource(uri));
            assertThat(routed).isEqualTo(found("good", uri));
        }
    }

    @Test
    void templateWithTooManyExpressionsIsWithheld() {
        Listing listing = resources("a", "{x}".repeat(32), "{x}".repeat(33)).listing();
        assertThat(listing.templates()).hasSize(1);
        assertThat(listing.withheld().getFirst().reason()).contains("more than 32 expressions");
    }

    @Test
    void tooLongUriIsNotFound() {
        Catalog catalog = Catalog.of(List.of(resources("a", "x://{+all}")));
        String longest = "x://" + "a".repeat(ResourceRoute.URI_CHARS_MAX - 4);
        assertThat(catalog.routeResource(longest)).isEqualTo(found("a", longest));
        assertThat(catalog.routeResource(longest + "a")).isEqualTo(new ResourceLookup.NotFound());
    }

    @Test
    void comparesWhatClientsSee() {
        Catalog one = Catalog.of(List.of(offering("a", "s")));
        assertThat(one.hasSameTools(Catalog.of(List.of(offering(Freshness.STALE, "a", "s")))))
                .isTrue();
        assertThat(one.hasSameTools(Catalog.of(List.of(offering("a", "t"))))).isFalse();
        assertThat(one.hasSameResources(Catalog.EMPTY)).isTrue();
        assertThat(one.hasSameTools(Catalog.EMPTY)).isFalse();
    }

    /** Official clients of the legacy era drop the whole list for one such output schema. */
    @Test
    void legacyClientsDoNotSeeUnsupportedOutputSchemas() {
        var listing =
                tools(
                        "a",
                        "{\"name\":\"s\",\"outputSchema\":{\"type\":\"array\"}}",
                        "{\"name\":\"t\",\"outputSchema\":{\"type\":\"object\"}}");
        Catalog catalog = Catalog.of(List.of(new ServerOffering(listing, Freshness.CURRENT)));
        assertThat(catalog.advertisedTools(NameStyle.DOTTED, Era.LEGACY))
                .extracting(it -> it.member("outputSchema") != null)
                .containsExactly(false, true);
        assertThat(catalog.advertisedTools(NameStyle.DOTTED, Era.MODERN))
                .allMatch(it -> it.member("outputSchema") != null);
    }
}
