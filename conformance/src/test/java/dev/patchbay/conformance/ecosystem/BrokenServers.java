package dev.patchbay.conformance.ecosystem;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.patchbay.testkit.FreePort;
import dev.patchbay.testkit.RawHttpServer;
import dev.patchbay.testkit.StrictJson;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** Servers that are broken in one way each, and a working one. */
final class BrokenServers implements Closeable {
    /** A server in a few lines of shell that answers tools/list with a file. */
    private static final String SERVER_SCRIPT =
            """
            list=$1 fault=$2
            reply() {
                [ "$fault" != glued ] || printf 'Ready> '
                printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$1"
            }
            [ "$fault" != banner ] || echo 'Welcome to this server!'
            while IFS= read -r line; do
                id=${line#*'"id":'} id=${id%%[,\\}]*}
                case $fault$line in
                    refuse*'"method":"initialize"'*)
                        reply '"error":{"code":-32000,"message":"not licensed"}' ;;
                    future*'"id":'*)
                        reply '"error":{"code":-32022,"message":"no",\
            "data":{"supported":["2099-01-01"]}}' ;;
                    *'"method":"initialize"'*)
                        reply '"result":{"protocolVersion":"2025-11-25",\
            "capabilities":{"tools":{}},"serverInfo":{"name":"ill","version":"1"}}' ;;
                    dies*'"method":"tools/list"'*) echo 'out of paper' >&2; exit 4 ;;
                    list*'"method":"tools/list"'*) ;;
                    error*'"method":"tools/list"'*)
                        reply '"error":{"code":-32000,"message":"database is away"}' ;;
                    *'"method":"tools/list"'*) printf '{"jsonrpc":"2.0","id":%s,"result":' "$id"
                        cat "$list"; echo '}' ;;
                    *'"method":"tools/call"'*)
                        reply '"result":{"content":[{"type":"text","text":"called"}]}' ;;
                    *'"id":'*) reply '"error":{"code":-32601,"message":"Method not found"}' ;;
                esac
            done
            """;

    private static final String TOOL_TEMPLATE =
            "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}";
    private static final String SHORT_CONNECT_TIMEOUT = ", \"connectionTimeoutMs\": 3000";
    private static final int QUEUE_MAX = 50;
    private static final List<String> HTTP_FAULTS =
            List.of(
                    "401", "basic", "403", "404", "405", "307", "429", "503", "html", "mute",
                    "cuts");

    private final TestInstallation installation;
    private final Path folder;
    private final List<Closeable> openResources = new ArrayList<>();

    BrokenServers(TestInstallation installation) {
        this.installation = installation;
        this.folder = installation.folder();
    }

    /** Writes the shell server that {@link #workingEntry} starts. */
    static void writeServer(Path folder) throws IOException {
        Files.writeString(folder.resolve("server.sh"), SERVER_SCRIPT);
    }

    /** The entry of a working server with this list. */
    static String workingEntry(Path folder, Path list) {
        return serverEntry(folder, list.toString(), "none", "");
    }

    /** Adds every kind of broken server. */
    void addAll() throws IOException, GeneralSecurityException, InterruptedException {
        writeServer(folder);
        addProgramFaults();
        addOutputFaults();
        addListingFaults();
        addUrlFaults();
        addUntrustedTlsServer();
        installation.withServer("silent", urlEntry(unresponsivePortUrl(), SHORT_CONNECT_TIMEOUT));
    }

    /** Adds a few servers that are quick to diagnose. */
    void addFew() throws IOException {
        writeServer(folder);
        String good = writeList("good", TOOL_TEMPLATE.formatted("good"));
        installation.withServer("healthy", serverEntry(good, "none", ""));
        installation.withServer("off", serverEntry(good, "none", ", \"enabled\": false"));
        installation.withServer("exits", shellEntry("exit 3", ""));
        addFilterFaults();
        addDuplicateServers();
    }

    private void addProgramFaults() throws IOException {
        installation.withServer(
                "nosecret",
                "{\"command\": \"cat\", \"env\": {\"KEY\": \"${secret:no-such-secret}\"}}");
        installation.withServer(
                "boxed",
                "{\"command\": \"cat\", \"sandbox\": {\"network\": [\"api.example.com:443\"]}}");
        installation.withServer("missing", "{\"command\": \"no-such-program\"}");
        installation.withServer(
                "plain", "{\"command\": %s}".formatted(writeFile("plain", "hello", false)));
        installation.withServer(
                "unset", "{\"command\": \"cat\", \"args\": [\"${NO_SUCH_VARIABLE}\"]}");
        installation.withServer("nowhere", "{\"command\": \"cat\", \"cwd\": \"/no/such/folder\"}");
        installation.withServer(
                "shebang",
                "{\"command\": %s}".formatted(writeFile("she", "#!/no/such/py\n", true)));
        String dos = writeFile("dos", "#!/bin/sh\r\nexit\r\n", true);
        installation.withServer("windows", "{\"command\": %s}".formatted(dos));
        installation.withServer(
                "headless", "{\"command\": %s}".formatted(writeFile("py", "import sys\n", true)));
        writeFile("tool.py", "exit(1)\n", false);
        installation.withServer("language", "{\"command\": \"sh\", \"args\": [\"tool.py\"]}");
        installation.withServer("script", "{\"command\": \"sh\", \"args\": [\"absent.sh\"]}");
        installation.withServer("exits", shellEntry("echo 'API_KEY is not set' >&2; exit 3", ""));
        installation.withServer("hangs", shellEntry("exec sleep 60", SHORT_CONNECT_TIMEOUT));
    }

    private void addOutputFaults() throws IOException {
        String good = writeList("good", TOOL_TEMPLATE.formatted("good"));
        installation.withServer("healthy", serverEntry(good, "none", ""));
        installation.withServer("off", serverEntry(good, "none", ", \"enabled\": false"));
        installation.withServer(
                "banner",
                serverEntry(writeList("b", TOOL_TEMPLATE.formatted("bannered")), "banner", ""));
        installation.withServer(
                "glued",
                serverEntry(
                        writeList("g", TOOL_TEMPLATE.formatted("glued")),
                        "glued",
                        SHORT_CONNECT_TIMEOUT));
        installation.withServer("refuses", serverEntry(good, "refuse", ""));
        installation.withServer("future", serverEntry(good, "future", ""));
        installation.withServer("modern", serverEntry(good, "none", ", \"era\": \"modern\""));
        installation.withServer("dies", serverEntry(good, "dies", ""));
        installation.withServer("slowlist", serverEntry(good, "list", SHORT_CONNECT_TIMEOUT));
        installation.withServer("badlist", serverEntry(good, "error", ""));
    }

    private void addListingFaults() throws IOException {
        installation.withServer("empty", serverEntry(writeList("e", ""), "none", ""));
        addFilterFaults();
        String typo = ", \"tools\": {\"exclude\": [\"typo.*\"]}";
        installation.withServer(
                "typo",
                serverEntry(writeList("y", TOOL_TEMPLATE.formatted("typed")), "none", typo));
        addDuplicateServers();
        installation.withServer(
                "naming",
                serverEntry(writeList("n", TOOL_TEMPLATE.formatted("a\\u0007b")), "none", ""));
        String twice = TOOL_TEMPLATE.formatted("same") + "," + TOOL_TEMPLATE.formatted("same");
        installation.withServer("twice", serverEntry(writeList("t", twice), "none", ""));
        installation.withServer("shape", serverEntry(writeList("sh", "7"), "none", ""));
        String big =
                "{\"name\":\"big\",\"description\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}"
                        .formatted("x".repeat(600 * 1024));
        installation.withServer("large", serverEntry(writeList("big", big), "none", ""));
        String many =
                IntStream.rangeClosed(0, 2_000)
                        .mapToObj(i -> TOOL_TEMPLATE.formatted("many" + i))
                        .collect(Collectors.joining(","));
        installation.withServer("many", serverEntry(writeList("many", many), "none", ""));
        String deep =
                "{\"name\":\"deep\",\"inputSchema\":{\"type\":\"object\",\"default\":%s}}"
                        .formatted("[".repeat(489) + "]".repeat(489));
        installation.withServer("deep", serverEntry(writeList("deep", deep), "none", ""));
        Path pages =
                Files.writeString(
                        folder.resolve("pages.json"),
                        "{\"tools\":["
                                + TOOL_TEMPLATE.formatted("paged")
                                + "],\"nextCursor\":\"again\"}");
        installation.withServer("pages", serverEntry(pages.toString(), "none", ""));
    }

    private void addFilterFaults() throws IOException {
        String both = TOOL_TEMPLATE.formatted("seen") + "," + TOOL_TEMPLATE.formatted("hidden");
        String filter = ", \"tools\": {\"exclude\": [\"hid*\"]}";
        installation.withServer("sieve", serverEntry(writeList("f", both), "none", filter));
    }

    private void addDuplicateServers() throws IOException {
        installation.withServer(
                "left", serverEntry(writeList("l", TOOL_TEMPLATE.formatted("twin")), "none", ""));
        installation.withServer(
                "right", serverEntry(writeList("r", TOOL_TEMPLATE.formatted("twin")), "none", ""));
        String schema = "{\"name\":\"odd\",\"inputSchema\":{\"type\":\"array\"}}";
        installation.withServer("schema", serverEntry(writeList("s", schema), "none", ""));
    }

    private void addUrlFaults() throws IOException {
        var web = RawHttpServer.start(BrokenServers::serve);
        openResources.add(web::close);
        for (String path : HTTP_FAULTS) {
            installation.withServer(
                    "web" + path, urlEntry(web.url("/" + path).toString(), SHORT_CONNECT_TIMEOUT));
        }
        String credential = ", \"headers\": {\"Authorization\": \"Bearer x\"}";
        installation.withServer("token", urlEntry(web.url("/401").toString(), credential));
        installation.withServer(
                "unknown", urlEntry("http://name.invalid/mcp", SHORT_CONNECT_TIMEOUT));
        installation.withServer(
                "closed", urlEntry("http://127.0.0.1:" + FreePort.find() + "/mcp", ""));
        installation.withServer(
                "notls",
                urlEntry("https://127.0.0.1:" + web.port() + "/mcp", SHORT_CONNECT_TIMEOUT));
    }

    private static void serve(RawHttpServer.Exchange exchange) throws IOException {
        switch (exchange.request().path().substring(1)) {
            case "401" -> exchange.respond(401, "", "WWW-Authenticate: Bearer realm=\"ward\"");
            case "basic" -> exchange.respond(401, "", "WWW-Authenticate: Basic realm=\"ward\"");
            case "403" -> exchange.respond(403, "no");
            case "404" -> exchange.respond(404, "nothing here", "Content-Type: text/plain");
            case "307" -> exchange.respond(307, "", "Location: http://elsewhere.invalid/mcp");
            case "405" -> exchange.respond(405, "no");
            case "429" -> exchange.respond(429, "slow down");
            case "503" -> exchange.respond(503, "maintenance");
            case "html" -> exchange.respond(200, "<html>Hi</html>", "Content-Type: text/html");
            case "cuts" -> {
                if (exchange.request().rpcMethod().equals("ping")) {
                    exchange.respondWithResult("{}");
                } else {
                    exchange.close();
                }
            }
            default -> exchange.awaitDisconnect(30_000);
        }
    }

    /** A server with an untrusted certificate. */
    private void addUntrustedTlsServer()
            throws IOException, GeneralSecurityException, InterruptedException {
        ServerSocket listener = tlsListener(folder);
        openResources.add(listener);
        installation.withServer(
                "selfsigned",
                urlEntry("https://127.0.0.1:" + listener.getLocalPort(), SHORT_CONNECT_TIMEOUT));
    }

    /** A TLS port with that certificate. */
    static ServerSocket tlsListener(Path folder)
            throws IOException, GeneralSecurityException, InterruptedException {
        Path keys = folder.resolve("keys.p12");
        String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        var making =
                new ProcessBuilder(
                                tool,
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "ward",
                                "-dname",
                                "CN=ward.example",
                                "-storepass",
                                "password",
                                "-keystore",
                                keys.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("keytool.txt").toFile())
                        .start();
        if (!making.waitFor(60, SECONDS) || making.exitValue() != 0) {
            throw new AssertionError(Files.readString(folder.resolve("keytool.txt")));
        }
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keys)) {
            store.load(in, "password".toCharArray());
        }
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, "password".toCharArray());
        var context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        var listener =
                context.getServerSocketFactory()
                        .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(() -> acceptConnections(listener));
        return listener;
    }

    private static void acceptConnections(ServerSocket listener) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.getInputStream().read();
            } catch (IOException _) {
                // The client did not trust us, or the ward was closed.
            }
        }
    }

    /** The URL of a port that neither accepts nor refuses connections. */
    private String unresponsivePortUrl() throws IOException {
        var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        openResources.add(listener);
        var address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        for (int i = 0; i < QUEUE_MAX; i++) {
            var waiting = new Socket();
            openResources.add(waiting);
            try {
                waiting.connect(address, 300);
            } catch (SocketTimeoutException _) {
                return "http://127.0.0.1:" + listener.getLocalPort() + "/mcp";
            }
        }
        throw new AssertionError("The queue of the listener does not become full");
    }

    private String writeFile(String name, String text, boolean executable) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        if (executable && !file.toFile().setExecutable(true)) {
            throw new IOException("Cannot make " + file + " executable");
        }
        return StrictJson.quote(file.toString());
    }

    private String writeList(String name, String tools) throws IOException {
        Path file = folder.resolve("list-" + name + ".json");
        return Files.writeString(file, "{\"tools\":[" + tools + "]}").toString();
    }

    private static String shellEntry(String script, String members) {
        return "{\"command\": \"sh\", \"args\": [\"-c\", %s]%s}"
                .formatted(StrictJson.quote(script), members);
    }

    private String serverEntry(String list, String fault, String members) {
        return serverEntry(folder, list, fault, members);
    }

    private static String serverEntry(Path folder, String list, String fault, String members) {
        return "{\"command\": \"/bin/sh\", \"args\": [%s, %s, \"%s\"]%s}"
                .formatted(
                        StrictJson.quote(folder.resolve("server.sh").toString()),
                        StrictJson.quote(list),
                        fault,
                        members);
    }

    private static String urlEntry(String url, String members) {
        return "{\"url\": %s%s}".formatted(StrictJson.quote(url), members);
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : openResources) {
            each.close();
        }
    }
}
