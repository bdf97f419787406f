package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.NameStyle;
import dev.patchbay.json.Json;
import dev.patchbay.mcp.Era;
import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Servers whose lists are as large as each server's limits allow. */
@Tag("INV-MCP-ECO-002")
class LargeListsTest {
    private static final String INITIALIZED =
            """
            {"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{},"prompts":{},"resources":{}},\
            "serverInfo":{"name":"fake","version":"1"}}\
            """;

    private final Gateway gateway =
            Gateway.open(
                    GatewaySettings.DEFAULTS,
                    spec -> new FakeServer((method, _) -> answer(spec.id().value(), method)),
                    InstantSource.system());

    @AfterEach
    void close() {
        gateway.close();
    }

    private static String answer(String id, String method) {
        boolean large = id.startsWith("large");
        return switch (method) {
            case "initialize" -> FakeServer.result(INITIALIZED);
            case "tools/list" -> list("tools", "name", large);
            case "prompts/list" -> list("prompts", "name", large);
            case "resources/list" -> list("resources", "uri", large);
            case "resources/templates/list" -> list("resourceTemplates", "uriTemplate", large);
            case "tools/call" -> FakeServer.result("{\"content\":[]}");
            default -> FakeServer.error(-32601, "Method not found");
        };
    }

    /** A list of 4 MiB, or of one small entry. */
    private static String list(String member, String key, boolean large) {
        var entries = new StringJoiner(",", "[", "]");
        for (int i = 0; i < (large ? 40 : 1); i++) {
            entries.add(
                    "{\"%s\":\"x:%d\",\"name\":\"x%d\",\"description\":\"%s\"}"
                            .formatted(key, i, i, "d".repeat(large ? 100_000 : 10))
                            .replace("\"name\":\"x:" + i + "\",", ""));
        }
        return FakeServer.result("{\"" + member + "\":" + entries + "}");
    }

    private void register(String id) {
        gateway.register(
                new ServerSpec(
                        new ServerId(id),
                        new Transport.Stdio("none", List.of(), Map.of(), null),
                        ServerSpec.Options.DEFAULTS));
    }

    private static long bytes(Catalog catalog) {
        return catalog.toolsResult(NameStyle.DOTTED, Era.LEGACY).length()
                + (long) catalog.promptsResult(NameStyle.DOTTED).length()
                + catalog.resourcesResult().length()
                + catalog.templatesResult().length();
    }

    @Test
    void listsOfAllServersTogetherAreBoundedAndSmallOnesAreComplete() throws Exception {
        for (int i = 0; i < 5; i++) {
            register("large" + i);
        }
        register("small");
        gateway.discover(DiscoveryRequest.ALL);
        Catalog catalog = gateway.catalog();
        assertThat(bytes(catalog)).isLessThan(ListingBudget.TOTAL_BYTES_MAX + 100_000);
        assertThat(gateway.server(new ServerId("small")).orElseThrow().withheld()).isEmpty();
        assertThat(gateway.invoke(Invocation.of("small.x0", Json.EMPTY_OBJECT)).isSuccess())
                .isTrue();
        for (int i = 0; i < 5; i++) {
            ServerReport report = gateway.server(new ServerId("large" + i)).orElseThrow();
            assertThat(report.counts().tools()).isPositive();
            assertThat(report.withheld())
                    .extracting(it -> it.reason())
                    .anyMatch(it -> it.contains("withheld: the lists of this server are limited"));
        }
    }
}
