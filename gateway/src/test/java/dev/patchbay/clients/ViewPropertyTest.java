package dev.patchbay.clients;

import static dev.patchbay.clients.InMemoryClient.MODERN;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.CatalogView;
import dev.patchbay.clients.RandomFleet.Member;
import dev.patchbay.gateway.GatewayView;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Nothing outside its view is ever named to a client, called, read, completed or announced for it.
 * An answer about something outside the view is the answer about something that does not exist.
 */
class ViewPropertyTest {
    private static final int SEEDS = Integer.getInteger("patchbay.viewSeeds", 20);
    private static final int REQUESTS = 40;

    /** A client with its view, and what it may know because it said it itself. */
    private static final class ViewClient implements AutoCloseable {
        private final InMemoryClient client;
        private final boolean modern;
        private final Set<String> outside;
        private final StringBuilder said = new StringBuilder();
        private final List<String> heard = new ArrayList<>();
        private int lastId;

        ViewClient(GatewayView view, boolean modern, Set<String> outside) throws Exception {
            this.client = new InMemoryClient(new GatewayService(view));
            this.modern = modern;
            this.outside = outside;
            if (!modern) {
                String greeting =
                        answer(
                                "initialize",
                                "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                                        + "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}");
                assertThat(greeting).contains("\"result\"");
                client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
                assertThat(answer("logging/setLevel", "\"level\":\"debug\"")).contains("result");
            }
        }

        /** Sends a request without waiting, and returns its id. */
        int send(String method, String params) {
            said.append(params);
            int id = ++lastId;
            String meta = modern ? MODERN : "";
            String comma = modern && !params.isEmpty() ? "," : "";
            client.send(
                    "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s%s%s}}"
                            .formatted(id, method, params, comma, meta));
            return id;
        }

        /** The answer to a request, without its id and times. */
        String answer(String method, String params) {
            return await("\"id\":" + send(method, params) + ",");
        }

        String await(String part) {
            while (true) {
                String line = client.next();
                heard.add(line);
                if (line.contains(part)) {
                    return line.replaceFirst("\"id\":\\d+", "")
                            .replaceAll("Ms\":\\d+", "Ms\":0")
                            .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "T");
                }
            }
        }

        /** Everything that was sent to the client has been heard after this. */
        void fence() {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":\"fence\",\"method\":\"ping\"}");
            await("\"fence\"");
        }

        /** Checks what was heard since the last time. */
        void assertHeardNothingOutside() {
            for (String line : heard) {
                for (String word : outside) {
                    assertThat(said.indexOf(word) < 0 && line.contains(word))
                            .as("%s is outside the view, in %s", word, line)
                            .isFalse();
                }
            }
            heard.clear();
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    private Random random;
    private RandomFleet fleet;

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void clientNeverLeavesItsView(long seed) throws Exception {
        random = new Random(seed);
        try (var opened = new RandomFleet(random)) {
            fleet = opened;
            CatalogView view = fleet.newView("work");
            CatalogView other = fleet.newView("other");
            fleet.gateway.defineViews(List.of(view, other));
            Set<String> outside = fleet.wordsOutside(view);
            GatewayView shown = fleet.gateway.view("work").orElseThrow();
            try (var all = new ViewClient(fleet.gateway.wholeView(), false, Set.of());
                    var legacy = new ViewClient(shown, false, outside);
                    var modern = new ViewClient(shown, true, outside)) {
                List<String> foreignTasks = startTasks(all);
                for (ViewClient client : List.of(legacy, modern)) {
                    for (int i = 0; i < REQUESTS; i++) {
                        sendRequest(client, view, foreignTasks);
                    }
                    client.assertHeardNothingOutside();
                }
                assertTasksOfOthersAreUnknown(legacy, foreignTasks);
                announceEverything(all, List.of(legacy, modern), view);
            }
        }
    }

    /** Starts a task at every server as a client of the whole catalog; their ids. */
    private List<String> startTasks(ViewClient all) {
        var ids = new ArrayList<String>();
        for (Member it : fleet.members) {
            String name = it.id() + "." + it.tools().getFirst();
            String answer =
                    all.answer("tools/call", "\"name\":\"" + name + "\",\"task\":{\"ttl\":60000}");
            int from = answer.indexOf("\"taskId\":\"") + 10;
            ids.add(answer.substring(from, answer.indexOf('"', from)));
        }
        return ids;
    }

    private static void assertTasksOfOthersAreUnknown(ViewClient client, List<String> tasks) {
        for (String task : tasks) {
            assertThat(client.answer("tasks/get", "\"taskId\":\"" + task + "\""))
                    .contains("no such task");
        }
    }

    /** Sends a request, and then the same about something that does not exist. */
    private void sendRequest(ViewClient client, CatalogView view, List<String> tasks) {
        String[] request = randomRequest(client.modern, tasks);
        String outsideWord =
                client.outside.stream().filter(request[1]::contains).findFirst().orElse(null);
        List<Member> hidden =
                fleet.members.stream().filter(it -> !view.shows(new ServerId(it.id()))).toList();
        int before = hidden.stream().mapToInt(Member::clientRequests).sum();
        String answer = client.answer(request[0], request[1]);
        if (outsideWord != null) {
            String params = request[1];
            var missing = new ArrayList<String>();
            for (String word : new HashSet<>(client.outside)) {
                if (params.contains(word)) {
                    params = params.replace(word, missing(word));
                    missing.add(word);
                }
            }
            String expected = client.answer(request[0], params);
            for (String word : missing) {
                expected = expected.replace(missing(word), word);
            }
            assertThat(answer).as("%s", List.of(request)).isEqualTo(expected);
        }
        assertThat(hidden.stream().mapToInt(Member::clientRequests).sum())
                .as("%s", List.of(request))
                .isEqualTo(before);
        for (Member it : fleet.members) {
            it.tools().stream()
                    .skip(1) // the first one was called by the client of everything
                    .filter(client.outside::contains)
                    .forEach(tool -> assertThat(it.receivedCallOf(tool)).isFalse());
        }
    }

    /** A word like another that stands for nothing. */
    private static String missing(String word) {
        return word.substring(0, word.length() - 1) + "z";
    }

    private String[] randomRequest(boolean modern, List<String> tasks) {
        Member member = pick(fleet.members);
        String tool = "\"name\":\"" + toolName(member) + "\"";
        String prompt = "\"name\":\"" + name(member, pickOr(member.prompts(), "none")) + "\"";
        String uri = quoted(uri(member, pickOr(member.resources(), "none://x")));
        return switch (random.nextInt(16)) {
            case 0 -> request("tools/list", "");
            case 1 -> request("prompts/list", "");
            case 2 -> request("resources/list", "");
            case 3 -> request("resources/templates/list", "");
            case 4, 5, 6 -> request("tools/call", tool);
            case 7 -> request("tools/call", tool + ",\"task\":{\"ttl\":60000}");
            case 8 -> request("prompts/get", prompt);
            case 9 -> request("resources/read", uri);
            case 10 -> completion("ref/prompt", prompt);
            case 11 ->
                    completion(
                            "ref/resource",
                            quoted(uri(member, pickOr(member.templates(), "none://{name}"))));
            case 12 -> modern ? request("server/discover", "") : subscription(uri);
            case 13 -> taskRequest("\"taskId\":\"" + pick(tasks) + "\"");
            default -> randomBuiltIn(member);
        };
    }

    private static String[] completion(String type, String ref) {
        return request(
                "completion/complete",
                "\"ref\":{\"type\":\"%s\",%s},\"argument\":{\"name\":\"a\",\"value\":\"\"}"
                        .formatted(type, ref));
    }

    private String[] subscription(String uri) {
        return request(random.nextBoolean() ? "resources/subscribe" : "resources/unsubscribe", uri);
    }

    private String[] taskRequest(String task) {
        return request(random.nextBoolean() ? "tasks/get" : "tasks/cancel", task);
    }

    private String[] randomBuiltIn(Member member) {
        String name = random.nextBoolean() ? member.id() : toolName(member);
        return switch (random.nextInt(5)) {
            case 0 -> builtIn("servers", "");
            case 1 -> builtIn("discover", "\"serverIds\":[\"" + member.id() + "\"]");
            case 2 -> builtIn("invoke", "\"name\":\"" + name + "\"");
            case 3 ->
                    builtIn(
                            "find_tool",
                            "\"query\":\"%s\"".formatted(random.nextBoolean() ? "common" : name));
            default -> builtIn("explain", "\"name\":\"" + name + "\"");
        };
    }

    private static String[] request(String method, String params) {
        return new String[] {method, params};
    }

    private static String[] builtIn(String tool, String arguments) {
        return request(
                "tools/call",
                "\"name\":\"patchbay.%s\",\"arguments\":{%s}".formatted(tool, arguments));
    }

    private String toolName(Member member) {
        return name(member, pick(member.tools()));
    }

    private String name(Member member, String own) {
        return switch (random.nextInt(3)) {
            case 0 -> own;
            case 1 -> member.id() + "__" + own;
            default -> member.id() + "." + own;
        };
    }

    private String uri(Member member, String uri) {
        return random.nextBoolean() ? uri : "patchbay+" + member.id() + ":" + uri;
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private String pickOr(List<String> all, String other) {
        return all.isEmpty() ? other : pick(all);
    }

    /** Every server reports everything it can; the clients hear what is inside their view. */
    private void announceEverything(ViewClient all, List<ViewClient> clients, CatalogView view) {
        ViewClient legacy = clients.getFirst();
        ViewClient modern = clients.getLast();
        subscribeToEverything(legacy, modern);
        var inside = new HashSet<String>();
        legacy.said.setLength(0); // from here on nothing outside may be heard at all
        modern.said.setLength(0);
        legacy.heard.clear();
        modern.heard.clear();
        for (Member it : fleet.members) {
            String logged = fleet.word("l");
            (view.shows(new ServerId(it.id())) ? inside : legacy.outside).add(logged);
            // While no call is in flight; otherwise the message belongs to the call.
            notify(it, "message", "\"level\":\"error\",\"data\":\"" + logged + "\"");
            all.await(logged);
            announce(it);
            // Its answer comes after its notifications.
            String name = it.id() + "." + it.tools().getFirst();
            all.answer("tools/call", "\"name\":\"" + name + "\"");
        }
        legacy.fence();
        modern.answer("tools/list", "");
        String heard = String.join("\n", legacy.heard);
        assertThat(inside).allSatisfy(it -> assertThat(heard).contains(it));
        for (Member it : fleet.members) {
            if (view.shows(new ServerId(it.id()))) {
                assertThat(it.resources()).allSatisfy(uri -> assertThat(heard).contains(uri));
            }
        }
        clients.forEach(ViewClient::assertHeardNothingOutside);
    }

    private void subscribeToEverything(ViewClient legacy, ViewClient modern) {
        var uris = new ArrayList<String>();
        fleet.members.forEach(it -> it.resources().forEach(uri -> uris.add("\"" + uri + "\"")));
        modern.send(
                "subscriptions/listen",
                "\"notifications\":{\"toolsListChanged\":true,\"resourceSubscriptions\":%s}"
                        .formatted(uris));
        modern.await("notifications/subscriptions/acknowledged");
        fleet.members.forEach(
                it ->
                        it.resources()
                                .forEach(uri -> legacy.answer("resources/subscribe", quoted(uri))));
    }

    private static String quoted(String uri) {
        return "\"uri\":\"" + uri + "\"";
    }

    private static void announce(Member member) {
        String state = Json.string(member.task()).toString();
        member.resources().forEach(uri -> notify(member, "resources/updated", quoted(uri)));
        notify(member, "tasks/status", "\"taskId\":" + state + ",\"status\":\"completed\"");
        notify(member, "elicitation/complete", "\"elicitationId\":\"" + member.answer() + "\"");
    }

    private static void notify(Member member, String method, String params) {
        member.server()
                .sendMessage(
                        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\",\"params\":{%s}}"
                                .formatted(method, params));
    }
}
