package dev.patchbay.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Offer.Standing;
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
    void namesOfRandomPairsAreUniqueAlsoWhereAHostReplacesCharacters() {
        Map<String, FullName> dotted = new HashMap<>();
        Map<String, FullName> replaced = new HashMap<>();
        Map<String, FullName> safe = new HashMap<>();
        for (FullName name : pairs()) {
            String shown = name.advertised(NameStyle.DOTTED);
            assertThat(shown).as("seed %d: %s", SEED, name).matches(DOTTED);
            assertThat(dotted.put(shown, name)).as("seed %d: %s", SEED, name).isNull();
            String hosts = shown.replaceAll("[^A-Za-z0-9_-]", "_");
            assertThat(replaced.put(hosts, name)).as("seed %d: %s", SEED, name).isNull();
            String narrow = name.advertised(NameStyle.SAFE);
            assertThat(narrow).as("seed %d: %s", SEED, name).matches(SAFE);
            assertThat(safe.put(narrow, name)).as("seed %d: %s", SEED, name).isNull();
        }
    }

    @Test
    void everyFullNameSplitsIntoWhatItWasJoinedFrom() {
        for (FullName name : pairs()) {
            assertThat(FullName.parse(name.text())).contains(name);
        }
    }

    @Test
    void everyNameLeadsBackToItsToolWhateverOtherServersThereAre() {
        Map<ServerId, Set<String>> byServer = new TreeMap<>();
        pairs().stream()
                .limit(5_000)
                .forEach(
                        it ->
                                byServer.computeIfAbsent(it.server(), _ -> new LinkedHashSet<>())
                                        .add(it.name()));
        List<Offer> offers = new ArrayList<>();
        byServer.forEach((server, tools) -> offers.add(offer(server, tools)));
        Catalog all = Catalog.of(offers);
        for (Offer offer : offers.subList(0, 20)) {
            Catalog alone = Catalog.of(List.of(offer));
            for (Tool tool : offer.listing().tools()) {
                for (NameStyle style : List.of(NameStyle.DOTTED, NameStyle.SAFE)) {
                    String shown = all.advertised(tool, style);
                    assertThat(alone.advertised(tool, style)).isEqualTo(shown);
                    assertThat(all.tool(shown)).isEqualTo(new Lookup.Found<>(tool));
                }
                assertThat(all.tool(tool.name().text())).isEqualTo(new Lookup.Found<>(tool));
                String bare = all.advertised(tool, NameStyle.BARE);
                assertThat(all.tool(bare)).isEqualTo(new Lookup.Found<>(tool));
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

    private static Offer offer(ServerId server, Set<String> tools) {
        List<Json> definitions =
                tools.stream()
                        .map(it -> new JsonWriter().beginObject().member("name", it).endObject())
                        .map(JsonWriter::toJson)
                        .toList();
        var lists = new Lists(definitions, List.of(), List.of(), List.of(), List.of());
        return new Offer(Listing.of(server, lists), Standing.CURRENT);
    }
}
