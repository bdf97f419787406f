package dev.patchbay.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.ServerOffering.Freshness;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.server.ServerId;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Random servers with random tools: every name is unique, stable, legal and leads back. */
@Tag("INV-MCP-ECO-003")
class AdvertisedNamesTest {
    private static final long SEED = 20_261_116;
    private static final int PAIRS = 100_000;
    private static final Pattern SAFE = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final Pattern DOTTED = Pattern.compile("[A-Za-z0-9_.-]{1,100}");
    private static final List<String> PIECES =
            List.of(
                    "a",
                    "b",
                    "c",
                    "_",
                    "__",
                    ".",
                    "..",
                    "-",
                    " ",
                    "/",
                    "search",
                    "read",
                    "X",
                    "é",
                    "日",
                    "😀",
                    "_0123456789",
                    "_abcdef0123",
                    "0",
                    "files.read",
                    "İ",
                    "ß",
                    "%2e");

    @Test
    void namesOfRandomPairsAreUniqueEvenIfAHostReplacesCharacters() {
        Map<String, FullName> dotted = new HashMap<>();
        Map<String, FullName> replaced = new HashMap<>();
        Map<String, FullName> safe = new HashMap<>();
        for (FullName name : pairs()) {
            String shown = name.advertisedName(NameStyle.DOTTED);
            assertThat(shown).as("seed %d: %s", SEED, name).matches(DOTTED);
            assertThat(dotted.put(shown, name)).as("seed %d: %s", SEED, name).isNull();
            String hosts = shown.replaceAll("[^A-Za-z0-9_-]", "_");
            assertThat(replaced.put(hosts, name)).as("seed %d: %s", SEED, name).isNull();
            String narrow = name.advertisedName(NameStyle.SAFE);
            assertThat(narrow).as("seed %d: %s", SEED, name).matches(SAFE);
            assertThat(safe.put(narrow, name)).as("seed %d: %s", SEED, name).isNull();
        }
    }

    @Test
    void everyFullNameParsesBackToServerAndTool() {
        for (FullName name : pairs()) {
            assertThat(FullName.parse(name.text())).contains(name);
        }
    }

    @Test
    void everyAdvertisedNameFindsItsToolRegardlessOfOtherServers() {
        Map<ServerId, Set<String>> byServer = new TreeMap<>();
        pairs().stream()
                .limit(5_000)
                .forEach(
                        it ->
                                byServer.computeIfAbsent(it.server(), _ -> new LinkedHashSet<>())
                                        .add(it.name()));
        List<ServerOffering> offers = new ArrayList<>();
        byServer.forEach((server, tools) -> offers.add(offering(server, tools)));
        Catalog all = Catalog.of(offers);
        for (ServerOffering offer : offers.subList(0, 20)) {
            Catalog alone = Catalog.of(List.of(offer));
            for (Tool tool : offer.listing().tools()) {
                for (NameStyle style : List.of(NameStyle.DOTTED, NameStyle.SAFE)) {
                    String shown = all.advertisedName(tool, style);
                    assertThat(alone.advertisedName(tool, style)).isEqualTo(shown);
                    assertThat(all.findTool(shown)).isEqualTo(new LookupResult.Found<>(tool));
                }
                assertThat(all.findTool(tool.name().text()))
                        .isEqualTo(new LookupResult.Found<>(tool));
                String bare = all.advertisedName(tool, NameStyle.BARE);
                assertThat(all.findTool(bare)).isEqualTo(new LookupResult.Found<>(tool));
            }
        }
    }

    private static Set<FullName> pairs() {
        var random = new Random(SEED);
        var pairs = new LinkedHashSet<FullName>();
        while (pairs.size() < PAIRS) {
            var name = new StringBuilder();
            int pieces = random.nextInt(8) == 0 ? 30 + random.nextInt(60) : 1 + random.nextInt(6);
            for (int i = 0; i < pieces; i++) {
                name.append(PIECES.get(random.nextInt(PIECES.size())));
            }
            pairs.add(new FullName(serverId(random), name.toString()));
        }
        return pairs;
    }

    private static ServerId serverId(Random random) {
        int length = random.nextInt(10) == 0 ? 50 : 1 + random.nextInt(2);
        String letters = "aA-0";
        var id = new StringBuilder("ab".substring(random.nextInt(2)).substring(0, 1));
        for (int i = 1; i < length; i++) {
            id.append(letters.charAt(random.nextInt(letters.length())));
        }
        return new ServerId(id.toString());
    }

    private static ServerOffering offering(ServerId server, Set<String> tools) {
        List<Json> definitions =
                tools.stream()
                        .map(it -> new JsonWriter().beginObject().member("name", it).endObject())
                        .map(JsonWriter::toJson)
                        .toList();
        var lists = new RawLists(definitions, List.of(), List.of(), List.of(), List.of());
        return new ServerOffering(Listing.of(server, lists), Freshness.CURRENT);
    }
}
