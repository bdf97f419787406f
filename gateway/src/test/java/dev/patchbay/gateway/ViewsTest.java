package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.Tool;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ToolFilter;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The views of a running gateway follow their definitions and announce their own changes. */
class ViewsTest {
    @TempDir private Path folder;
    private GatewayFixture fleet;
    private final List<String> changes = new CopyOnWriteArrayList<>();

    @BeforeEach
    void open() throws Exception {
        fleet = new GatewayFixture(folder);
        fleet.add(fleet.script("a").tools("read=echo"));
        fleet.add(fleet.script("b").tools("send=echo"));
        fleet.discover();
    }

    @AfterEach
    void close() {
        fleet.close();
    }

    private static CatalogView view(String name, String... servers) {
        return new CatalogView(
                name,
                Set.copyOf(List.of(servers).stream().map(ServerId::new).toList()),
                ToolFilter.ALLOW_ALL,
                null,
                Map.of());
    }

    private static List<String> tools(GatewayView view) {
        return view.catalog().tools().stream().map(Tool::name).map(Object::toString).toList();
    }

    private GatewayView listen(String name) {
        GatewayView view = fleet.gateway.view(name).orElseThrow();
        view.addListener(
                new GatewayListener() {
                    @Override
                    public void listChanged(String list) {
                        changes.add(list);
                    }
                });
        return view;
    }

    @Test
    void catalogOfViewIsComputedOnce() {
        fleet.gateway.defineViews(List.of(view("v", "a")));
        GatewayView shown = fleet.gateway.view("v").orElseThrow();
        assertThat(tools(shown)).containsExactly("a.read");
        assertThat(shown.catalog()).isSameAs(shown.catalog());
        assertThat(fleet.gateway.wholeView().catalog()).isSameAs(fleet.gateway.catalog());
    }

    @Test
    void clientsFollowTheNewDefinition() {
        fleet.gateway.defineViews(List.of(view("v", "a"), view("w", "b")));
        GatewayView shown = listen("v");
        fleet.gateway.defineViews(List.of(view("v", "b")));
        assertThat(tools(shown)).containsExactly("b.send");
        assertThat(GatewayFixture.becomesTrue(() -> changes.equals(List.of("tools")))).isTrue();
        assertThat(fleet.gateway.view("w")).isEmpty();
        assertThat(fleet.gateway.view("v")).contains(shown);
    }

    @Test
    void removedViewShowsNothingUntilItIsDefinedAgain() throws Exception {
        fleet.gateway.defineViews(List.of(view("v", "a")));
        GatewayView shown = fleet.gateway.view("v").orElseThrow();
        fleet.gateway.defineViews(List.of());
        assertThat(tools(shown)).isEmpty();
        assertThat(shown.call(Invocation.of("a.read", null)).run().isSuccess()).isFalse();
        fleet.gateway.defineViews(List.of(view("v", "a")));
        assertThat(tools(shown)).containsExactly("a.read");
        assertThat(shown.call(Invocation.of("a.read", null)).run().isSuccess()).isTrue();
    }

    @Test
    void changeOutsideTheViewIsNotAnnounced() throws Exception {
        fleet.gateway.defineViews(List.of(view("v", "a", "c")));
        listen("v");
        fleet.changes.clear();
        fleet.add(fleet.script("d").tools("other=echo"));
        assertThat(GatewayFixture.becomesTrue(() -> fleet.changes.contains("tools"))).isTrue();
        ServerScript inside = fleet.add(fleet.script("c").tools("more=echo"));
        assertThat(GatewayFixture.becomesTrue(() -> !changes.isEmpty())).isTrue();
        assertThat(inside.name()).isEqualTo("c");
        assertThat(changes).containsExactly("tools");
    }

    @Test
    void serverOutsideTheViewDoesNotGetTheLogLevel() throws Exception {
        ServerScript c = fleet.add(fleet.script("c").withOption("logging", "true"));
        ServerScript d = fleet.add(fleet.script("d").withOption("logging", "true"));
        fleet.discover();
        fleet.gateway.defineViews(List.of(view("v", "c")));
        fleet.gateway.view("v").orElseThrow().setLogLevel("client", "debug");
        int told = c.recording().receivedCount("logging/setLevel");
        assertThat(d.recording().receivedCount("logging/setLevel")).isZero();
        fleet.gateway.wholeView().setLogLevel("other", "error");
        assertThat(d.recording().receivedCount("logging/setLevel")).isEqualTo(told);
    }
}
