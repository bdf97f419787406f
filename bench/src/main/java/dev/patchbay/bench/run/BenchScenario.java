package dev.patchbay.bench.run;

import java.util.List;

/**
 * One question that is put to several subjects: what the load client does, and which servers stand
 * behind the subject.
 *
 * @param key its name on the command line and in the results
 * @param reference the subject that the others are measured against
 */
record BenchScenario(
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

    private static final String DIRECT = BenchSubjects.DIRECT;
    private static final String RELAY = BenchSubjects.RELAY;
    private static final String NGINX = BenchSubjects.NGINX;
    private static final String PATCHBAY = BenchSubjects.PATCHBAY;
    private static final String SECOND_START = BenchSubjects.PATCHBAY_SECOND_START;
    private static final String OVER_HTTP = BenchSubjects.PATCHBAY_HTTP;
    private static final String TYPESCRIPT = BenchSubjects.TYPESCRIPT;

    private static BenchScenario stdio(String key, String title, Load load) {
        var one = new Servers(1, 1, false);
        return new BenchScenario(key, title, load, one, List.of(DIRECT, RELAY, PATCHBAY), RELAY);
    }

    private static BenchScenario start(int servers) {
        var title = "Start with " + FigureFormat.servers(servers);
        return new BenchScenario(
                "start-" + servers,
                title,
                new Load("start", 0, 1),
                new Servers(servers, 1, false),
                List.of(TYPESCRIPT, PATCHBAY, SECOND_START),
                TYPESCRIPT);
    }

    private static BenchScenario patchbayOnly(
            String key, String title, int inFlight, Servers servers) {
        var load = new Load("call", 200, inFlight);
        return new BenchScenario(key, title, load, servers, List.of(PATCHBAY), PATCHBAY);
    }

    private static BenchScenario manyClients() {
        return new BenchScenario(
                "clients-1000",
                "As http-stdio, from 1,000 clients with a session and a call in flight each",
                new Load("call", 200, 1000, 1000),
                new Servers(1, 1, false),
                List.of(OVER_HTTP),
                OVER_HTTP);
    }

    /** The delay is what keeps the calls in flight: they wait in the servers, not on the way. */
    private static BenchScenario manyInFlight() {
        return patchbayOnly(
                "inflight-10000",
                "10,000 in flight, to 2,000 tools of 50 servers that take 200 ms over a call",
                10_000,
                new Servers(50, 40, false, 200));
    }

    private static BenchScenario http(String key, String title, boolean serversToo) {
        var subjects =
                serversToo
                        ? List.of(BenchSubjects.DIRECT_HTTP, NGINX, OVER_HTTP)
                        : List.of(
                                NGINX,
                                OVER_HTTP,
                                BenchSubjects.MCP_PROXY,
                                BenchSubjects.SUPERGATEWAY);
        var servers = new Servers(1, 1, serversToo);
        return new BenchScenario(key, title, new Load("call", 200, 64), servers, subjects, NGINX);
    }

    private static BenchScenario list() {
        return new BenchScenario(
                "list-1000",
                "List of 1,000 tools, of 10 servers where possible",
                new Load("list", 0, 1),
                new Servers(10, 100, false),
                List.of(DIRECT, RELAY, PATCHBAY),
                RELAY);
    }

    private static BenchScenario ping() {
        return new BenchScenario(
                "ping",
                "Pings, 64 in flight",
                new Load("ping", 0, 64),
                new Servers(1, 1, false),
                List.of(TYPESCRIPT, PATCHBAY),
                TYPESCRIPT);
    }

    /** All scenarios, in the order in which they are run and shown. */
    static List<BenchScenario> all() {
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
                patchbayOnly(
                        "flat-tools",
                        "As call-64, to 1,000 tools",
                        64,
                        new Servers(1, 1000, false)),
                patchbayOnly(
                        "flat-servers",
                        "As call-64, over 50 servers",
                        64,
                        new Servers(50, 1, false)),
                patchbayOnly(
                        "flat-servers-1",
                        "As call-1, over 50 servers",
                        1,
                        new Servers(50, 1, false)),
                manyClients(),
                manyInFlight());
    }

    static BenchScenario of(String key) {
        return all().stream().filter(s -> s.key().equals(key)).findAny().orElseThrow();
    }

    /** The way in which Patchbay takes part. */
    String patchbay() {
        return subjects.contains(OVER_HTTP) ? OVER_HTTP : PATCHBAY;
    }
}
