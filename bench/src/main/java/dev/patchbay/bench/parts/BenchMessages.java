package dev.patchbay.bench.parts;

import dev.patchbay.catalog.Catalog;
import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.RawLists;
import dev.patchbay.catalog.ServerOffering;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Messages and lists like those of a busy gateway. */
final class BenchMessages {
    static final String SCHEMA =
            """
            {"type":"object","properties":{"text":{"type":"string"},\
            "count":{"type":"integer","minimum":0}},"required":["text"]}\
            """;

    private BenchMessages() {}

    /** A call with so many bytes of text. */
    static byte[] call(int textBytes) {
        var text =
                "{\"jsonrpc\":\"2.0\",\"id\":4711,\"method\":\"tools/call\",\"params\":{"
                        + "\"name\":\"s0.echo\",\"arguments\":{\"text\":\""
                        + "The quick brown fox jumps over. ".repeat(textBytes / 32)
                        + "\",\"count\":3}}}";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The answer of a server that has so many tools. */
    static byte[] list(int tools) {
        var text =
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"tools\":" + definitions(tools) + "}}";
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static List<String> definitions(int tools) {
        return IntStream.range(0, tools)
                .mapToObj(
                        i ->
                                "{\"name\":\"tool"
                                        + i
                                        + "\",\"description\":\"What it does, said in a sentence of"
                                        + " middling length.\",\"inputSchema\":"
                                        + SCHEMA
                                        + "}")
                .toList();
    }

    /** What so many servers with so many tools each offer. */
    static Catalog catalog(int servers, int tools) {
        var definitions = definitions(tools).stream().map(Json::of).toList();
        var lists = new RawLists(definitions, List.of(), List.of(), List.of(), List.of());
        var offers = new ArrayList<ServerOffering>();
        for (int i = 0; i < servers; i++) {
            var listing = Listing.of(new ServerId("s" + i), lists);
            offers.add(new ServerOffering(listing, ServerOffering.Freshness.CURRENT));
        }
        return Catalog.of(offers);
    }
}
