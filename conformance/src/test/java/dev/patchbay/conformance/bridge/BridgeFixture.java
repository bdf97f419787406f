package dev.patchbay.conformance.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.RawStdioClient;
import dev.patchbay.testkit.ScriptedHttpServer;
import dev.patchbay.testkit.ServerRecording;
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

/** A configuration with scripted servers, its gateways, and their clients. */
final class BridgeFixture implements AutoCloseable {
    private static final Pattern SERVING_URL = Pattern.compile("Serving MCP at (\\S+)");

    private final Path folder;
    private final Map<String, String> entries = new LinkedHashMap<>();
    private final Map<String, ServerScript> scripts = new LinkedHashMap<>();
    private final List<ScriptedHttpServer> httpServers = new ArrayList<>();
    private final List<EraClient> clients = new ArrayList<>();
    private final Map<String, String> environment = new LinkedHashMap<>();
    private String entryMembers = "";
    private String settings = "";
    private @Nullable RawStdioClient httpGateway;

    BridgeFixture(Path folder) {
        this.folder = folder;
    }

    /** Adds members to the entries of stdio servers that are added later. */
    BridgeFixture withEntryMembers(String more) {
        entryMembers = more;
        return this;
    }

    /** Adds members to the gateway's own settings. */
    BridgeFixture withSettings(String members) {
        settings = members + ",";
        return this;
    }

    /** Sets an environment variable of the gateways that are started later. */
    BridgeFixture withVariable(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Adds a server of an era, {@code legacy} or {@code modern}, over stdio or HTTP. */
    BridgeFixture withServer(
            String id, String era, boolean http, UnaryOperator<ServerScript> shape) {
        ServerScript script = shape.apply(ServerScript.named(id, folder));
        scripts.put(id, script);
        if (!http) {
            entries.put(id, script.era(era).config(entryMembers));
            return this;
        }
        try {
            ScriptedHttpServer server = ScriptedHttpServer.start(script, era);
            httpServers.add(server);
            entries.put(id, server.config());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    ServerRecording record(String id) {
        return script(id).recording();
    }

    ServerScript script(String id) {
        ServerScript script = scripts.get(id);
        assertThat(script).as("Server %s", id).isNotNull();
        return script;
    }

    /** A client that is initialized and has listed the tools of all servers. */
    EraClient connectClient(boolean modern, boolean http) {
        EraClient client = newClient(modern, http).initialize();
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

    /** A client that has sent nothing yet. */
    EraClient newClient(boolean modern, boolean http) {
        TestTransport wire =
                http
                        ? new HttpTestTransport(httpAddress(), modern)
                        : new StdioTestTransport(
                                launch("stdio", "--config", writeConfig()).start());
        var client = new EraClient(modern, wire);
        clients.add(client);
        return client;
    }

    /** The endpoint of the HTTP gateway, started if necessary. */
    private InetSocketAddress httpAddress() {
        if (httpGateway == null) {
            httpGateway =
                    launch("serve", "--config", writeConfig(), "--listen", "127.0.0.1:0").start();
        }
        RawStdioClient gateway = httpGateway;
        assertThat(EraClient.await(() -> SERVING_URL.matcher(gateway.stderr()).find()))
                .as("%s", gateway.stderr())
                .isTrue();
        Matcher where = SERVING_URL.matcher(gateway.stderr());
        assertThat(where.find()).isTrue();
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), URI.create(where.group(1)).getPort());
    }

    /** Stops the HTTP gateway; the next client starts a new one. */
    void stopHttpGateway() {
        if (httpGateway != null) {
            httpGateway.kill();
            httpGateway.close();
            httpGateway = null;
        }
    }

    /** Breaks all connections to the HTTP servers, after each has an event stream. */
    void breakConnections() throws IOException {
        assertThat(
                        EraClient.await(
                                () ->
                                        httpServers.stream()
                                                .allMatch(ScriptedHttpServer::hasListener)))
                .isTrue();
        for (ScriptedHttpServer server : httpServers) {
            server.dropConnections();
        }
    }

    private String writeConfig() {
        var servers = new ArrayList<String>();
        entries.forEach((id, entry) -> servers.add(StrictJson.quote(id) + ":" + entry));
        String text =
                "{\"patchbay\":{"
                        + settings
                        + "\"http\":{\"auth\":\"none\"},"
                        + "\"limits\":{\"shutdownGraceMs\":500}},\"mcpServers\":{"
                        + String.join(",", servers)
                        + "}}";
        try {
            return Files.writeString(folder.resolve("patchbay.json"), text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ProcessLaunch launch(String... words) {
        PackagedProgram program =
                PackagedProgram.find()
                        .orElseThrow(() -> new AssertionError(PackagedProgram.MISSING));
        ProcessLaunch launch =
                ProcessLaunch.of(program.launcherCommand(words))
                        .workingDirectory(folder)
                        .clearEnvironment()
                        .env("PATH", System.getenv("PATH"))
                        .env("HOME", folder.toString())
                        .env("JAVA_HOME", System.getProperty("java.home"));
        environment.forEach(launch::env);
        return launch;
    }

    @Override
    public void close() throws IOException {
        clients.forEach(EraClient::close);
        stopHttpGateway();
        for (ScriptedHttpServer server : httpServers) {
            server.close();
        }
        scripts.forEach(
                (id, script) ->
                        assertThat(SchemaCheck.violations(script.recording())).as(id).isEmpty());
    }
}
