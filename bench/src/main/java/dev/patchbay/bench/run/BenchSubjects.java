package dev.patchbay.bench.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Knows how each subject of a measurement is started. */
record BenchSubjects(BenchPrograms programs) {
    static final String DIRECT = "direct";
    static final String RELAY = "relay";
    static final String DIRECT_HTTP = "direct, HTTP";
    static final String NGINX = "nginx";
    static final String PATCHBAY = "Patchbay";
    static final String PATCHBAY_SECOND_START = "Patchbay, second start";
    static final String PATCHBAY_HTTP = "Patchbay, HTTP";
    static final String TYPESCRIPT = "TypeScript server 2.4.0";
    static final String MCP_PROXY = "mcp-proxy 6.7.19";
    static final String SUPERGATEWAY = "supergateway 4.0.0";

    /** What Patchbay takes of one client at a time unless it is told otherwise. */
    private static final int REQUESTS_PER_CLIENT = 1024;

    /**
     * How one subject is started, in a folder of its own.
     *
     * @param url where it listens, or nothing if it is spoken to over its pipes
     * @param tools the names of the tools that are called in turn
     * @param warmup what its code needs before it runs as fast as it can
     */
    record Launch(List<String> command, Optional<String> url, List<String> tools, Warmup warmup) {}

    /** How long a subject is driven before it is measured. */
    enum Warmup {
        /** Code that was compiled before. */
        NATIVE,
        /** Code that is compiled while it runs. */
        JIT_COMPILED
    }

    /** The start of a subject, or nothing if this machine does not have it. */
    Optional<Launch> launch(String name, BenchScenario scenario, BenchWorkspace site)
            throws IOException {
        var servers = scenario.servers();
        return switch (name) {
            case DIRECT -> stdio(server(servers, 0));
            case RELAY -> stdio(concat(List.of(programs.relay().toString()), server(servers, 0)));
            case DIRECT_HTTP -> http(List.of("sleep", "600"), site.serverUrl(0), Warmup.NATIVE);
            case NGINX -> nginx(site);
            case PATCHBAY, PATCHBAY_SECOND_START -> patchbay(scenario, site);
            case PATCHBAY_HTTP -> patchbayOverHttp(scenario, site);
            case TYPESCRIPT ->
                    programs.nodeCommand("npm", "typescript-server.mjs")
                            .map(command -> jitCompiled(command, Optional.empty()));
            case MCP_PROXY -> mcpProxy(servers, site);
            case SUPERGATEWAY -> supergateway(servers, site);
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** Whether a subject reaches its servers over HTTP whatever the scenario says. */
    static boolean needsHttpServers(String name) {
        return name.equals(NGINX) || name.equals(DIRECT_HTTP);
    }

    /** Whether a subject is started once before the start that is measured. */
    static boolean startsTwice(String name) {
        return name.equals(PATCHBAY_SECOND_START);
    }

    /** Whether a subject takes part only if somebody asks for it. */
    static boolean isOptional(String name) {
        return name.equals(MCP_PROXY) || name.equals(SUPERGATEWAY);
    }

    static boolean isPatchbay(String name) {
        return name.startsWith(PATCHBAY);
    }

    /** The command line of one of the servers; number 0 stands for all of them in one. */
    List<String> server(BenchScenario.Servers servers, int number) {
        var tools = number == 0 ? servers.tools() : servers.toolsEach();
        var command = List.of(programs.server().toString(), "--tools", Integer.toString(tools));
        var delay = List.of("--delay", Integer.toString(servers.delayMs()));
        return servers.delayMs() == 0 ? command : concat(command, delay);
    }

    private static Optional<Launch> stdio(List<String> command) {
        return Optional.of(new Launch(command, Optional.empty(), List.of("echo"), Warmup.NATIVE));
    }

    private static Optional<Launch> http(List<String> command, String url, Warmup warmup) {
        return Optional.of(new Launch(command, Optional.of(url), List.of("echo"), warmup));
    }

    private static Launch jitCompiled(List<String> command, Optional<String> url) {
        return new Launch(command, url, List.of("echo"), Warmup.JIT_COMPILED);
    }

    private Optional<Launch> nginx(BenchWorkspace site) throws IOException {
        var program = programs.nginx();
        if (program.isEmpty()) {
            return Optional.empty();
        }
        var template = programs.root().resolve("bench", "peers", "nginx.conf");
        var text =
                Files.readString(template)
                        .replace("@FOLDER@", site.folder().toString())
                        .replace("@PORT@", Integer.toString(site.port()))
                        .replace("@SERVER_PORT@", Integer.toString(site.serverPorts().get(0)));
        var file = Files.writeString(site.folder().resolve("nginx.conf"), text);
        return http(
                List.of(program.get().toString(), "-e", "stderr", "-c", file.toString()),
                site.url(),
                Warmup.NATIVE);
    }

    private Optional<Launch> patchbay(BenchScenario scenario, BenchWorkspace site)
            throws IOException {
        var command =
                List.of(
                        programs.launcher().toString(),
                        "stdio",
                        "--config",
                        configuration(scenario, site).toString());
        return Optional.of(
                new Launch(
                        command,
                        Optional.empty(),
                        toolNames(scenario.servers()),
                        Warmup.JIT_COMPILED));
    }

    private Optional<Launch> patchbayOverHttp(BenchScenario scenario, BenchWorkspace site)
            throws IOException {
        var command =
                List.of(
                        programs.launcher().toString(),
                        "serve",
                        "--config",
                        configuration(scenario, site).toString(),
                        "--listen",
                        "127.0.0.1:" + site.port());
        return Optional.of(
                new Launch(
                        command,
                        Optional.of(site.url()),
                        toolNames(scenario.servers()),
                        Warmup.JIT_COMPILED));
    }

    /** All tools, those of different servers in turn. */
    private static List<String> toolNames(BenchScenario.Servers servers) {
        return IntStream.range(0, servers.tools())
                .mapToObj(i -> toolName(i % servers.count(), i / servers.count()))
                .toList();
    }

    /** As the servers name their tools. */
    private static String toolName(int server, int tool) {
        return tool == 0 ? "s" + server + ".echo" : "s%d.echo_%04d".formatted(server, tool);
    }

    private Path configuration(BenchScenario scenario, BenchWorkspace site) throws IOException {
        var servers = scenario.servers();
        var entries =
                IntStream.range(0, servers.count())
                        .mapToObj(i -> "\"s" + i + "\":" + entry(servers, site, i))
                        .collect(Collectors.joining(",\n"));
        var text =
                "{\"patchbay\":{\"http\":{\"auth\":\"none\"}"
                        + limits(scenario.load())
                        + "},\n\"mcpServers\":{\n"
                        + entries
                        + "}}\n";
        return Files.writeString(site.folder().resolve("patchbay.json"), text);
    }

    /** All limits are as they are unless set, but where one client alone wants more than that. */
    private static String limits(BenchScenario.Load load) {
        var most = load.inFlight() / load.clients();
        return most <= REQUESTS_PER_CLIENT
                ? ""
                : ",\"limits\":{\"requestsPerClientMax\":" + most + "}";
    }

    private String entry(BenchScenario.Servers servers, BenchWorkspace site, int index) {
        if (servers.overHttp()) {
            return "{\"url\":\"" + site.serverUrl(index) + "\"}";
        }
        var command = server(servers, index + 1);
        var arguments =
                command.stream().skip(1).map(a -> '"' + a + '"').collect(Collectors.joining(","));
        return "{\"command\":\"" + command.get(0) + "\",\"args\":[" + arguments + "]}";
    }

    private Optional<Launch> mcpProxy(BenchScenario.Servers servers, BenchWorkspace site) {
        var port = Integer.toString(site.port());
        return programs.nodeCommand("peers", "node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs")
                .map(
                        node ->
                                concat(
                                        node,
                                        List.of("--host", "127.0.0.1", "--port", port),
                                        List.of("--server", "stream", "--"),
                                        server(servers, 0)))
                .map(command -> jitCompiled(command, Optional.of(site.url())));
    }

    private Optional<Launch> supergateway(BenchScenario.Servers servers, BenchWorkspace site) {
        var port = Integer.toString(site.port());
        var stdio = String.join(" ", server(servers, 0));
        return programs.nodeCommand("peers", "node_modules/supergateway/dist/index.js")
                .map(
                        node ->
                                concat(
                                        node,
                                        List.of("--stdio", stdio, "--port", port, "--stateful"),
                                        List.of("--outputTransport", "streamableHttp"),
                                        List.of("--logLevel", "none")))
                .map(command -> jitCompiled(command, Optional.of(site.url())));
    }

    @SafeVarargs
    private static List<String> concat(List<String>... parts) {
        return Stream.of(parts)
                .flatMap(List::stream)
                .collect(Collectors.toCollection(ArrayList::new));
    }
}
