package dev.patchbay.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

class CatalogViewTest {
    private static final Catalog WHOLE =
            Catalog.of(
                    List.of(
                            SampleListings.offering("a", "read", "delete"),
                            SampleListings.offering("b", "read", "send"),
                            SampleListings.prompts("c", "{\"name\":\"greet\"}"),
                            SampleListings.resources("d", "x://1"),
                            SampleListings.resources("e", "x://1")));

    private static CatalogView view(
            @Nullable Set<String> servers, ToolFilter tools, Map<String, String> renamed) {
        Map<FullName, String> names = new HashMap<>();
        renamed.forEach((tool, name) -> names.put(FullName.parse(tool).orElseThrow(), name));
        Set<ServerId> ids =
                servers == null
                        ? null
                        : Set.copyOf(servers.stream().map(SampleListings::id).toList());
        return new CatalogView("v", ids, tools, null, names);
    }

    private static List<String> names(Catalog catalog, NameStyle style) {
        return catalog.advertisedTools(style, Era.LEGACY).stream()
                .map(it -> it.memberText("name"))
                .toList();
    }

    @Test
    void viewHasTheChosenServersAndTools() {
        Catalog shown =
                WHOLE.restrictedTo(
                        view(Set.of("a", "c", "d"), ToolFilter.excluding("a.del*"), Map.of()));
        assertThat(names(shown, NameStyle.DOTTED)).containsExactly("a.read");
        assertThat(shown.findTool("a.delete")).isEqualTo(notFound("a"));
        assertThat(shown.findTool("b.send")).isEqualTo(notFound(null));
        assertThat(shown.findTool("read")).isInstanceOf(LookupResult.Found.class);
        assertThat(shown.prompts()).hasSize(1);
        assertThat(shown.freshness(SampleListings.id("b"))).isEmpty();
    }

    @Test
    void viewWithoutServersHasAll() {
        Catalog shown = WHOLE.restrictedTo(view(null, ToolFilter.including("*.read"), Map.of()));
        assertThat(names(shown, NameStyle.DOTTED)).containsExactly("a.read", "b.read");
        assertThat(shown.prompts()).hasSize(1);
        assertThat(WHOLE.restrictedTo(CatalogView.empty("v")).tools()).isEmpty();
        assertThat(WHOLE.restrictedTo(CatalogView.WHOLE)).isSameAs(WHOLE);
    }

    @Test
    void resourceThatOnlyOneServerOfTheViewHasKeepsItsUri() {
        Catalog shown = WHOLE.restrictedTo(view(Set.of("d"), ToolFilter.ALLOW_ALL, Map.of()));
        assertThat(shown.advertisedResources())
                .extracting(it -> it.memberText("uri"))
                .containsExactly("x://1");
        // Nothing of the view is called so; the only server with resources is asked.
        var route = (ResourceLookup.Found) shown.routeResource("patchbay+e:x://1");
        assertThat(route.route().server()).isEqualTo(SampleListings.id("d"));
    }

    @Test
    void renamedToolHasItsNewNameInEveryStyle() {
        Catalog shown =
                WHOLE.restrictedTo(
                        view(
                                Set.of("a", "b"),
                                ToolFilter.ALLOW_ALL,
                                Map.of("a.read", "open", "b.send", "delete")));
        assertThat(names(shown, NameStyle.SAFE))
                .containsExactly("open", "a__delete", "b__read", "delete");
        assertThat(names(shown, NameStyle.BARE))
                .containsExactly("open", "a.delete", "b.read", "delete");
        assertThat(shown.findTool("delete")).isEqualTo(shown.findTool("b.send"));
        assertThat(shown.findTool("open")).isEqualTo(shown.findTool("a.read"));
        assertThat(shown.hasSameTools(WHOLE)).isFalse();
    }

    @Test
    void newNameNeverLeadsToAnotherServerWhileItsOwnIsAway() {
        Catalog away =
                Catalog.of(
                        List.of(
                                SampleListings.offering(Freshness.UNKNOWN, "a"),
                                SampleListings.offering("b", "open")));
        Catalog shown =
                away.restrictedTo(view(null, ToolFilter.ALLOW_ALL, Map.of("a.read", "open")));
        assertThat(shown.findTool("open")).isEqualTo(notFound("a"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a__b", "a b", "a/b", "ä"})
    void newNameCannotBeThatOfAnotherTool(String name) {
        assertThatThrownBy(() -> view(null, ToolFilter.ALLOW_ALL, Map.of("a.read", name)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static LookupResult<Tool> notFound(@Nullable String server) {
        return new LookupResult.NotFound<>(server == null ? null : SampleListings.id(server));
    }
}
