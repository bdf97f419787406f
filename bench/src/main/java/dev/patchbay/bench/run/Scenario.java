package dev.patchbay.bench.run;

import java.util.List;

/**
 * One question that is put to several subjects: what the load client does, and which servers stand
 * behind the subject.
 *
 * @param key its name on the command line and in the results
 * @param reference the subject that the others are measured against
 */
record Scenario(
        String key,
        String title,
        Load load,
        Servers servers,
        List<String> subjects,
        String reference) {

    /**
     * What the load client does; the mode is one of its own.
     *
     * @param clients how many sessions over HTTP share the calls in flight
     */
    record Load(String mode, int textBytes, int inFlight, int clients) {
        Load(String mode, int textBytes, int inFlight) {
            this(mode, textBytes, inFlight, 1);
        }

        boolean isStart() {
            return mode.equals("start");
        }
    }

    /**
     * The servers behind a subject, all alike.
     *
     * @param delayMs how long they take over a call; 0 if they answer at once
     */
    record Servers(int count, int toolsEach, boolean overHttp, int delayMs) {
        Servers(int count, int toolsEach, boolean overHttp) {
            this(count, toolsEach, overHttp, 0);
        }

        int tools() {
            return count * toolsEach;
        }
    }

    private static final String DIRECT = Subject.DIRECT;
    private static final String RELAY = Subject.RELAY;
    private static final String NGINX = Subject.NGINX;
    private static final String PATCHBAY = Subject.PATCHBAY;
    private static final String AGAIN = Subject.PATCHBAY_AGAIN;
    private static final String OVER_HTTP = Subject.PATCHBAY_HTTP;
    private static final String TYPESCRIPT = Subject.TYPESCRIPT;

    private static Scenario stdio(String key, String title, Load load) {
        var one = new Servers(1, 1, false);
        return new Scenario(key, title, load, one, List.of(DIRECT, RELAY, PATCHBAY), RELAY);
    }

    private static Scenario start(int servers) {
        var title = "Start with " + Text.servers(servers);
        return new Scenario(
                "start-" + servers,
                title,
                new Load("start", 0, 1),
                new Servers(servers, 1, false),
                List.of(TYPESCRIPT, PATCHBAY, AGAIN),
                TYPESCRIPT);
    }

    private static Scenario flat(String key, String title, int inFlight, Servers servers) {
        var load = new Load("call", 200, inFlight);
        return new Scenario(key, title, load, servers, List.of(PATCHBAY), PATCHBAY);
    }

    private static Scenario manyClients() {
        return new Scenario(
                "clients-1000",
                "As http-stdio, from 1,000 clients with a session and a call in flight each",
                new Load("call", 200, 1000, 1000),
                new Servers(1, 1, false),
                List.of(OVER_HTTP),
                OVER_HTTP);
    }

    /** The delay is what keeps the calls in flight: they wait in the servers, not on the way. */
    private static Scenario manyInFlight() {
        return flat(
                "inflight-10000",
                "10,000 in flight, to 2,000 tools of 50 servers that take 200 ms over a call",
                10_000,
                new Servers(50, 40, false, 200));
    }

    private static Scenario http(String key, String title, boolean serversToo) {
        var subjects =
                serversToo
                        ? List.of(Subject.DIRECT_HTTP, NGINX, OVER_HTTP)
                        : List.of(NGINX, OVER_HTTP, Subject.MCP_PROXY, Subject.SUPERGATEWAY);
        var servers = new Servers(1, 1, serversToo);
        return new Scenario(key, title, new Load("call", 200, 64), servers, subjects, NGINX);
    }

    private static Scenario list() {
        return new Scenario(
                "list-1000",
                "List of 1,000 tools, of 10 servers where possible",
                new Load("list", 0, 1),
                new Servers(10, 100, false),
                List.of(DIRECT, RELAY, PATCHBAY),
                RELAY);
    }

    private static Scenario ping() {
        return new Scenario(
                "ping",
                "Pings, 64 in flight",
                new Load("ping", 0, 64),
                new Servers(1, 1, false),
                List.of(TYPESCRIPT, PATCHBAY),
                TYPESCRIPT);
    }

    /** All scenarios, in the order in which they are run and shown. */
    static List<Scenario> all() {
        return List.of(
                stdio("call-1", "stdio to stdio, 200 bytes, 1 in flight", new Load("call", 200, 1)),
                stdio(
                        "call-64",
                        "stdio to stdio, 200 bytes, 64 in flight",
                        new Load("call", 200, 64)),
                stdio("mb-1", "stdio to stdio, 1 MB, 1 in flight", new Load("call", 1000000, 1)),
                stdio("mb-64", "stdio to stdio, 1 MB, 64 in flight", new Load("call", 1000000, 64)),
                list(),
                http("http-stdio", "HTTP to stdio, 64 in flight (nginx: to HTTP)", false),
                http("http-http", "HTTP to HTTP, 64 in flight", true),
                start(1),
                start(10),
                start(50),
                ping(),
                flat("flat-tools", "As call-64, to 1,000 tools", 64, new Servers(1, 1000, false)),
                flat("flat-servers", "As call-64, over 50 servers", 64, new Servers(50, 1, false)),
                flat("flat-servers-1", "As call-1, over 50 servers", 1, new Servers(50, 1, false)),
                manyClients(),
                manyInFlight());
    }

    static Scenario of(String key) {
        return all().stream().filter(s -> s.key().equals(key)).findAny().orElseThrow();
    }

    /** The way in which Patchbay takes part. */
    String patchbay() {
        return subjects.contains(OVER_HTTP) ? OVER_HTTP : PATCHBAY;
    }
}
