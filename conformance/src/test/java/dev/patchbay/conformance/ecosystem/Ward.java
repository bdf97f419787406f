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

/** Servers that do not work, each in one way, and one that does. */
final class Ward implements Closeable {
    /** A server in a few lines of shell: what it answers to tools/list is a file. */
    private static final String SERVER =
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

    private static final String TOOL = "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}";
    private static final String SOON = ", \"connectionTimeoutMs\": 3000";
    private static final int QUEUE_MAX = 50;
    private static final List<String> WEB =
            List.of(
                    "401", "basic", "403", "404", "405", "307", "429", "503", "html", "mute",
                    "cuts");

    private final Workbench bench;
    private final Path folder;
    private final List<Closeable> open = new ArrayList<>();

    Ward(Workbench bench) {
        this.bench = bench;
        this.folder = bench.folder();
    }

    /** Writes the server in shell that {@link #entry} starts. */
    static void writeServer(Path folder) throws IOException {
        Files.writeString(folder.resolve("server.sh"), SERVER);
    }

    /** The entry of a server that works and offers this list. */
    static String entry(Path folder, Path list) {
        return server(folder, list.toString(), "none", "");
    }

    /** Fills the configuration with every kind. */
    void fill() throws IOException, GeneralSecurityException, InterruptedException {
        writeServer(folder);
        programs();
        talkers();
        offers();
        urls();
        tls();
        bench.with("silent", url(blackHole(), SOON));
    }

    /** Fills the configuration with a few that are soon examined. */
    void fillWithFew() throws IOException {
        writeServer(folder);
        String good = list("good", TOOL.formatted("good"));
        bench.with("healthy", server(good, "none", ""));
        bench.with("off", server(good, "none", ", \"enabled\": false"));
        bench.with("exits", sh("exit 3", ""));
        sieve();
        twins();
    }

    private void programs() throws IOException {
        bench.with("missing", "{\"command\": \"no-such-program\"}");
        bench.with("plain", "{\"command\": %s}".formatted(file("plain", "hello", false)));
        bench.with("unset", "{\"command\": \"cat\", \"args\": [\"${NO_SUCH_VARIABLE}\"]}");
        bench.with("nowhere", "{\"command\": \"cat\", \"cwd\": \"/no/such/folder\"}");
        bench.with("shebang", "{\"command\": %s}".formatted(file("she", "#!/no/such/py\n", true)));
        String dos = file("dos", "#!/bin/sh\r\nexit\r\n", true);
        bench.with("windows", "{\"command\": %s}".formatted(dos));
        bench.with("headless", "{\"command\": %s}".formatted(file("py", "import sys\n", true)));
        file("tool.py", "exit(1)\n", false);
        bench.with("language", "{\"command\": \"sh\", \"args\": [\"tool.py\"]}");
        bench.with("script", "{\"command\": \"sh\", \"args\": [\"absent.sh\"]}");
        bench.with("exits", sh("echo 'API_KEY is not set' >&2; exit 3", ""));
        bench.with("hangs", sh("exec sleep 60", SOON));
    }

    private void talkers() throws IOException {
        String good = list("good", TOOL.formatted("good"));
        bench.with("healthy", server(good, "none", ""));
        bench.with("off", server(good, "none", ", \"enabled\": false"));
        bench.with("banner", server(list("b", TOOL.formatted("bannered")), "banner", ""));
        bench.with("glued", server(list("g", TOOL.formatted("glued")), "glued", SOON));
        bench.with("refuses", server(good, "refuse", ""));
        bench.with("future", server(good, "future", ""));
        bench.with("modern", server(good, "none", ", \"era\": \"modern\""));
        bench.with("dies", server(good, "dies", ""));
        bench.with("slowlist", server(good, "list", SOON));
        bench.with("badlist", server(good, "error", ""));
    }

    private void offers() throws IOException {
        bench.with("empty", server(list("e", ""), "none", ""));
        sieve();
        String typo = ", \"tools\": {\"exclude\": [\"typo.*\"]}";
        bench.with("typo", server(list("y", TOOL.formatted("typed")), "none", typo));
        twins();
        bench.with("naming", server(list("n", TOOL.formatted("a\\u0007b")), "none", ""));
        String twice = TOOL.formatted("same") + "," + TOOL.formatted("same");
        bench.with("twice", server(list("t", twice), "none", ""));
        bench.with("shape", server(list("sh", "7"), "none", ""));
        String big =
                "{\"name\":\"big\",\"description\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}"
                        .formatted("x".repeat(600 * 1024));
        bench.with("large", server(list("big", big), "none", ""));
        String many =
                IntStream.rangeClosed(0, 2_000)
                        .mapToObj(i -> TOOL.formatted("many" + i))
                        .collect(Collectors.joining(","));
        bench.with("many", server(list("many", many), "none", ""));
        String deep =
                "{\"name\":\"deep\",\"inputSchema\":{\"type\":\"object\",\"default\":%s}}"
                        .formatted("[".repeat(489) + "]".repeat(489));
        bench.with("deep", server(list("deep", deep), "none", ""));
        Path pages =
                Files.writeString(
                        folder.resolve("pages.json"),
                        "{\"tools\":[" + TOOL.formatted("paged") + "],\"nextCursor\":\"again\"}");
        bench.with("pages", server(pages.toString(), "none", ""));
    }

    private void sieve() throws IOException {
        String both = TOOL.formatted("seen") + "," + TOOL.formatted("hidden");
        String filter = ", \"tools\": {\"exclude\": [\"hid*\"]}";
        bench.with("sieve", server(list("f", both), "none", filter));
    }

    private void twins() throws IOException {
        bench.with("left", server(list("l", TOOL.formatted("twin")), "none", ""));
        bench.with("right", server(list("r", TOOL.formatted("twin")), "none", ""));
        String schema = "{\"name\":\"odd\",\"inputSchema\":{\"type\":\"array\"}}";
        bench.with("schema", server(list("s", schema), "none", ""));
    }

    private void urls() throws IOException {
        var web = RawHttpServer.start(Ward::serve);
        open.add(web::close);
        for (String path : WEB) {
            bench.with("web" + path, url(web.url("/" + path).toString(), SOON));
        }
        String credential = ", \"headers\": {\"Authorization\": \"Bearer x\"}";
        bench.with("token", url(web.url("/401").toString(), credential));
        bench.with("unknown", url("http://name.invalid/mcp", SOON));
        bench.with("closed", url("http://127.0.0.1:" + FreePort.find() + "/mcp", ""));
        bench.with("notls", url("https://127.0.0.1:" + web.port() + "/mcp", SOON));
    }

    private static void serve(RawHttpServer.Exchange exchange) throws IOException {
        switch (exchange.request().path().substring(1)) {
            case "401" -> exchange.answer(401, "", "WWW-Authenticate: Bearer realm=\"ward\"");
            case "basic" -> exchange.answer(401, "", "WWW-Authenticate: Basic realm=\"ward\"");
            case "403" -> exchange.answer(403, "no");
            case "404" -> exchange.answer(404, "nothing here", "Content-Type: text/plain");
            case "307" -> exchange.answer(307, "", "Location: http://elsewhere.invalid/mcp");
            case "405" -> exchange.answer(405, "no");
            case "429" -> exchange.answer(429, "slow down");
            case "503" -> exchange.answer(503, "maintenance");
            case "html" -> exchange.answer(200, "<html>Hi</html>", "Content-Type: text/html");
            case "cuts" -> {
                if (exchange.request().rpcMethod().equals("ping")) {
                    exchange.result("{}");
                } else {
                    exchange.close();
                }
            }
            default -> exchange.awaitHangUp(30_000);
        }
    }

    /** A server whose certificate nobody has vouched for. */
    private void tls() throws IOException, GeneralSecurityException, InterruptedException {
        ServerSocket listener = tlsListener(folder);
        open.add(listener);
        bench.with("selfsigned", url("https://127.0.0.1:" + listener.getLocalPort(), SOON));
    }

    /** A port that speaks TLS, and shows that certificate. */
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
        Thread.ofPlatform().daemon().start(() -> greet(listener));
        return listener;
    }

    private static void greet(ServerSocket listener) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.getInputStream().read();
            } catch (IOException _) {
                // The client did not trust us, or the ward was closed.
            }
        }
    }

    /** The URL of a port that takes no connection and does not refuse one either. */
    private String blackHole() throws IOException {
        var listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(listener);
        var address = new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
        for (int i = 0; i < QUEUE_MAX; i++) {
            var waiting = new Socket();
            open.add(waiting);
            try {
                waiting.connect(address, 300);
            } catch (SocketTimeoutException _) {
                return "http://127.0.0.1:" + listener.getLocalPort() + "/mcp";
            }
        }
        throw new AssertionError("The queue of the listener does not become full");
    }

    private String file(String name, String text, boolean executable) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        if (executable && !file.toFile().setExecutable(true)) {
            throw new IOException("Cannot make " + file + " executable");
        }
        return StrictJson.quote(file.toString());
    }

    private String list(String name, String tools) throws IOException {
        Path file = folder.resolve("list-" + name + ".json");
        return Files.writeString(file, "{\"tools\":[" + tools + "]}").toString();
    }

    private static String sh(String script, String members) {
        return "{\"command\": \"sh\", \"args\": [\"-c\", %s]%s}"
                .formatted(StrictJson.quote(script), members);
    }

    private String server(String list, String fault, String members) {
        return server(folder, list, fault, members);
    }

    private static String server(Path folder, String list, String fault, String members) {
        return "{\"command\": \"/bin/sh\", \"args\": [%s, %s, \"%s\"]%s}"
                .formatted(
                        StrictJson.quote(folder.resolve("server.sh").toString()),
                        StrictJson.quote(list),
                        fault,
                        members);
    }

    private static String url(String url, String members) {
        return "{\"url\": %s%s}".formatted(StrictJson.quote(url), members);
    }

    @Override
    public void close() throws IOException {
        for (Closeable each : open) {
            each.close();
        }
    }
}
