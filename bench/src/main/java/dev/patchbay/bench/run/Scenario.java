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

    /** What the load client does; the mode is one of its own. */
    record Load(String mode, int textBytes, int inFlight) {
        boolean isStart() {
            return mode.equals("start");
        }
    }

    /** The servers behind a subject, all alike. */
    record Servers(int count, int toolsEach, boolean overHttp) {
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

    private static Scenario flat(String key, String title, Servers servers) {
        var load = new Load("call", 200, 64);
        return new Scenario(key, title, load, servers, List.of(PATCHBAY), PATCHBAY);
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
                flat("flat-tools", "As call-64, with 1,000 tools", new Servers(1, 1000, false)),
                flat("flat-servers", "As call-64, over 50 servers", new Servers(50, 1, false)));
    }
}
