package dev.patchbay.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.catalog.FullName;
import dev.patchbay.gateway.DiscoveryRequest;
import dev.patchbay.gateway.Gateway;
import dev.patchbay.gateway.GatewaySettings;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Message.Request;
import dev.patchbay.server.FakeServer;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;
import dev.patchbay.server.ToolFilter;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A gateway with random servers in memory. Every name, text and URI of theirs contains a word that
 * occurs nowhere else, so that a message shows whatever it gives away.
 */
final class RandomFleet implements AutoCloseable {
    private static final String TOOL =
            """
            {"name":"%s","description":"common","inputSchema":{"type":"object"},\
            "execution":{"taskSupport":"optional"}}\
            """;
    private static final String TEMPLATE = "{\"name\":\"x\",\"uriTemplate\":\"%s\"}";

    /** The methods that a gateway sends on behalf of clients. */
    private static final Set<String> CLIENT_METHODS =
            Set.of(
                    "tools/call",
                    "prompts/get",
                    "resources/read",
                    "resources/subscribe",
                    "completion/complete",
                    "logging/setLevel",
                    "tasks/get",
                    "tasks/result",
                    "tasks/cancel");

    /** One server, and the words that only it uses. */
    record Member(
            String id,
            FakeServer server,
            List<String> tools,
            List<String> prompts,
            List<String> resources,
            List<String> templates,
            String answer,
            String task,
            String instructions) {
        List<String> words() {
            var all = new ArrayList<String>();
            all.addAll(List.of(id, answer, task, instructions));
            all.addAll(tools);
            all.addAll(prompts);
            resources.forEach(it -> all.add(it.substring(0, it.indexOf(':'))));
            templates.forEach(it -> all.add(it.substring(0, it.indexOf(':'))));
            return all;
        }

        /** How often clients reached the server. */
        int clientRequests() {
            return (int)
                    server.received.stream()
                            .filter(
                                    it ->
                                            it instanceof Request request
                                                    && CLIENT_METHODS.contains(request.method()))
                            .count();
        }

        boolean receivedCallOf(String tool) {
            return server.received.stream()
                    .anyMatch(
                            it ->
                                    it instanceof Request request
                                            && request.method().equals("tools/call")
                                            && tool.equals(request.params().memberText("name")));
        }
    }

    final Gateway gateway;
    final List<Member> members = new ArrayList<>();
    private final Random random;
    private final Map<ServerId, FakeServer> servers = new HashMap<>();

    RandomFleet(Random random) throws InterruptedException {
        this.random = random;
        gateway =
                Gateway.open(
                        GatewaySettings.DEFAULTS.withOwnTools(
                                new GatewaySettings.OwnTools(true, true)),
                        spec -> servers.get(spec.id()),
                        InstantSource.system());
        int count = 2 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            members.add(newMember());
        }
        for (Member it : members) {
            servers.put(new ServerId(it.id), it.server);
        }
        for (Member it : members) {
            gateway.register(
                    new ServerSpec(
                            new ServerId(it.id),
                            new Transport.Stdio("none", List.of(), Map.of(), null),
                            Options.DEFAULTS));
        }
        assertThat(gateway.discover(DiscoveryRequest.ALL).serverResults())
                .allMatch(it -> it.error() == null);
    }

    @Override
    public void close() {
        gateway.close();
    }

    /** A word that is not used yet. */
    String word(String prefix) {
        return prefix + "%010x".formatted(random.nextLong(1L << 40));
    }

    private Member newMember() {
        List<String> tools = words("t", 1 + random.nextInt(4));
        List<String> prompts = words("p", random.nextInt(3));
        List<String> resources =
                words("r", random.nextInt(3)).stream().map(it -> it + "://x").toList();
        List<String> templates =
                words("m", random.nextInt(2)).stream().map(it -> it + "://{name}").toList();
        String answer = word("a");
        String task = word("k");
        String instructions = word("i");
        Map<String, String> lists =
                Map.of(
                        "initialize",
                        initialized(instructions),
                        "tools/list",
                        list("tools", tools, TOOL),
                        "prompts/list",
                        list("prompts", prompts, "{\"name\":\"%s\"}"),
                        "resources/list",
                        list("resources", resources, "{\"name\":\"x\",\"uri\":\"%s\"}"),
                        "resources/templates/list",
                        list("resourceTemplates", templates, TEMPLATE));
        var server =
                new FakeServer(
                        (method, params) -> {
                            String known = lists.get(method);
                            return known == null ? answer(method, params, answer, task) : known;
                        });
        return new Member(
                word("s"),
                server,
                tools,
                prompts,
                resources,
                templates,
                answer,
                task,
                instructions);
    }

    private List<String> words(String prefix, int count) {
        return IntStream.range(0, count).mapToObj(_ -> word(prefix)).toList();
    }

    private static String initialized(String instructions) {
        return FakeServer.result(
                """
                {"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},\
                "prompts":{},"resources":{"subscribe":true},"completions":{},"logging":{},\
                "tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},\
                "serverInfo":{"name":"fake","version":"1"},"instructions":"common %s"}\
                """
                        .formatted(instructions));
    }

    /** The result of a list method; the format makes an entry of its name. */
    private static String list(String member, List<String> entries, String format) {
        return FakeServer.result(
                "{\"%s\":[%s]}"
                        .formatted(
                                member,
                                entries.stream()
                                        .map(format::formatted)
                                        .collect(Collectors.joining(","))));
    }

    private static String answer(String method, Json params, String answer, String task) {
        String state =
                "\"taskId\":\"%s\",\"status\":\"working\",\"createdAt\":\"2026-01-01T00:00:00Z\","
                                .formatted(task)
                        + "\"lastUpdatedAt\":\"2026-01-01T00:00:00Z\",\"ttl\":60000";
        return switch (method) {
            case "tools/call" ->
                    params.member("task") != null
                            ? FakeServer.result("{\"task\":{" + state + "}}")
                            : FakeServer.result(content(answer));
            case "tasks/result" -> FakeServer.result(content(answer));
            case "tasks/get", "tasks/cancel" -> FakeServer.result("{" + state + "}");
            case "prompts/get" ->
                    FakeServer.result(
                            "{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\","
                                    + "\"text\":\""
                                    + answer
                                    + "\"}}]}");
            case "resources/read" ->
                    FakeServer.result(
                            "{\"contents\":[{\"uri\":\"x:y\",\"text\":\"" + answer + "\"}]}");
            case "completion/complete" ->
                    FakeServer.result("{\"completion\":{\"values\":[\"" + answer + "\"]}}");
            case "resources/subscribe", "resources/unsubscribe", "logging/setLevel" ->
                    FakeServer.result("{}");
            default -> FakeServer.error(-32601, "Method not found");
        };
    }

    private static String content(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]}";
    }

    /** Some of the servers, some of their tools, and new names for some of these. */
    CatalogView newView(String name) {
        var chosen = new LinkedHashSet<ServerId>();
        var include = new ArrayList<String>();
        var exclude = new ArrayList<String>();
        var renamed = new HashMap<FullName, String>();
        for (Member it : members) {
            if (random.nextBoolean()) {
                chosen.add(new ServerId(it.id));
            }
            for (String tool : it.tools) {
                String full = it.id + "." + tool;
                switch (random.nextInt(4)) {
                    case 0 -> exclude.add(random.nextBoolean() ? full : "*" + tool.substring(1));
                    case 1 -> include.add(full);
                    case 2 -> renamed.put(new FullName(new ServerId(it.id), tool), word("n"));
                    default -> {}
                }
            }
        }
        include.add("patchbay.*");
        List<String> all = random.nextInt(3) == 0 ? include : List.of("*");
        return new CatalogView(name, chosen, new ToolFilter(all, exclude), null, renamed);
    }

    /** The words that a client of a view must not see. */
    Set<String> wordsOutside(CatalogView view) {
        var outside = new HashSet<String>();
        for (Member it : members) {
            var id = new ServerId(it.id);
            if (!view.shows(id)) {
                outside.addAll(it.words());
            } else {
                it.tools.stream()
                        .filter(tool -> !view.tools().allows(it.id + "." + tool))
                        .forEach(outside::add);
            }
            for (String tool : it.tools) {
                String newName = view.renamed().get(new FullName(id, tool));
                if (newName != null && outside.contains(tool)) {
                    outside.add(newName);
                }
            }
        }
        return outside;
    }
}
