package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.OverHttp;
import dev.patchbay.testkit.Program;
import dev.patchbay.testkit.RawClient;
import dev.patchbay.testkit.ServerRecord;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A configuration with scripted servers, the gateways that run on it, and their clients. */
final class Site implements AutoCloseable {
    private static final Pattern WHERE = Pattern.compile("Serving MCP at (\\S+)");

    private final Path folder;
    private final Map<String, String> entries = new LinkedHashMap<>();
    private final Map<String, ServerScript> scripts = new LinkedHashMap<>();
    private final List<OverHttp> overHttp = new ArrayList<>();
    private final List<EraClient> clients = new ArrayList<>();
    private String members = "";
    private @Nullable RawClient serving;

    Site(Path folder) {
        this.folder = folder;
    }

    /** What the entries of the servers on stdio that are added from now on have more. */
    Site with(String more) {
        members = more;
        return this;
    }

    /** Adds a server of an era, {@code legacy} or {@code modern}, over stdio or HTTP. */
    Site server(String id, String era, boolean http, UnaryOperator<ServerScript> shape) {
        ServerScript script = shape.apply(ServerScript.named(id, folder));
        scripts.put(id, script);
        if (!http) {
            entries.put(id, script.era(era).config(members));
            return this;
        }
        try {
            OverHttp server = OverHttp.start(script, era);
            overHttp.add(server);
            entries.put(id, server.config());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    ServerRecord record(String id) {
        return script(id).record();
    }

    ServerScript script(String id) {
        ServerScript script = scripts.get(id);
        assertThat(script).as("Server %s", id).isNotNull();
        return script;
    }

    /** A client that has greeted the gateway and seen the tools of all servers. */
    EraClient client(boolean modern, boolean http) {
        EraClient client = stranger(modern, http).begin();
        awaitListed(client);
        return client;
    }

    /** Waits until a client sees the tools of all servers. */
    void awaitListed(EraClient client) {
        assertThat(
                        EraClient.await(
                                () -> {
                                    String listed = client.request("tools/list", "{}").write();
                                    return entries.keySet().stream()
                                            .allMatch(id -> listed.contains("\"" + id + "."));
                                }))
                .isTrue();
    }

    /** A client that has said nothing yet. */
    EraClient stranger(boolean modern, boolean http) {
        Wire wire =
                http
                        ? new HttpWire(address(), modern)
                        : new StdioWire(launch("stdio", "--config", file()).start());
        var client = new EraClient(modern, wire);
        clients.add(client);
        return client;
    }

    /** The endpoint of the one gateway on HTTP, started if need be. */
    private InetSocketAddress address() {
        if (serving == null) {
            serving = launch("serve", "--config", file(), "--listen", "127.0.0.1:0").start();
        }
        RawClient gateway = serving;
        assertThat(EraClient.await(() -> WHERE.matcher(gateway.stderr()).find()))
                .as("%s", gateway.stderr())
                .isTrue();
        Matcher where = WHERE.matcher(gateway.stderr());
        assertThat(where.find()).isTrue();
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(where.group(1)).getPort());
    }

    /** Ends the gateway on HTTP; the next client meets a new one. */
    void restart() {
        if (serving != null) {
            serving.kill();
            serving.close();
            serving = null;
        }
    }

    /** Breaks all that is open to the servers on HTTP, once somebody listens to each. */
    void cut() throws IOException {
        assertThat(EraClient.await(() -> overHttp.stream().allMatch(OverHttp::isListenedTo)))
                .isTrue();
        for (OverHttp server : overHttp) {
            server.cut();
        }
    }

    private String file() {
        var servers = new ArrayList<String>();
        entries.forEach((id, entry) -> servers.add(StrictJson.quote(id) + ":" + entry));
        String text =
                "{\"patchbay\":{\"http\":{\"auth\":\"none\"},"
                        + "\"limits\":{\"shutdownGraceMs\":500}},\"mcpServers\":{"
                        + String.join(",", servers)
                        + "}}";
        try {
            return Files.writeString(folder.resolve("patchbay.json"), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Launch launch(String... words) {
        Program program = Program.find().orElseThrow(() -> new AssertionError(Program.MISSING));
        return Launch.of(program.launcher(words))
                .in(folder)
                .clearEnvironment()
                .env("PATH", System.getenv("PATH"))
                .env("HOME", folder.toString())
                .env("JAVA_HOME", System.getProperty("java.home"));
    }

    @Override
    public void close() throws IOException {
        clients.forEach(EraClient::close);
        restart();
        for (OverHttp server : overHttp) {
            server.close();
        }
        scripts.forEach(
                (id, script) -> assertThat(SchemaCheck.faults(script.record())).as(id).isEmpty());
    }
}
