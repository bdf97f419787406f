package dev.patchbay.conformance.fleet;

import dev.patchbay.conformance.ecosystem.TestHost;
import dev.patchbay.conformance.ecosystem.TestInstallation;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client of the official Java SDK, connected to a gateway. */
final class JavaSdkClient implements AutoCloseable {
    private final McpSyncClient client;
    private final String protocolVersion;
    private final List<Double> progress = new CopyOnWriteArrayList<>();

    private JavaSdkClient(McpClientTransport transport) {
        client =
                McpClient.sync(transport)
                        .requestTimeout(TestHost.TIMEOUT)
                        .initializationTimeout(TestHost.TIMEOUT)
                        .capabilities(ClientCapabilities.builder().elicitation().build())
                        .elicitation(
                                _ ->
                                        new ElicitResult(
                                                ElicitResult.Action.ACCEPT,
                                                Map.of(
                                                        "username",
                                                        "ada",
                                                        "email",
                                                        "a@example.org")))
                        .progressConsumer(reported -> progress.add(reported.progress()))
                        .build();
        protocolVersion = client.initialize().protocolVersion();
    }

    /** The negotiated version. */
    String protocolVersion() {
        return protocolVersion;
    }

    /** Starts a gateway with the configuration of the installation. */
    static JavaSdkClient overStdio(TestInstallation installation) {
        List<String> command =
                TestInstallation.program()
                        .launcherCommand("stdio", "--config", installation.configFile().toString());
        var parameters =
                ServerParameters.builder(command.getFirst())
                        .args(command.subList(1, command.size()))
                        .env(installation.environment())
                        .build();
        return new JavaSdkClient(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()));
    }

    static JavaSdkClient overHttp(HttpGatewayProcess gateway) {
        URI url = URI.create(gateway.url());
        return new JavaSdkClient(
                HttpClientStreamableHttpTransport.builder(
                                url.getScheme() + "://" + url.getAuthority())
                        .endpoint(url.getPath())
                        .requestBuilder(
                                HttpRequest.newBuilder()
                                        .header("Authorization", gateway.authorization()))
                        .build());
    }

    List<String> tools() {
        return client.listTools().tools().stream().map(Tool::name).toList();
    }

    /** Calls a tool and returns its text. */
    String call(String tool, Map<String, Object> arguments) {
        var result =
                client.callTool(
                        CallToolRequest.builder(tool)
                                .arguments(arguments)
                                .progressToken(tool)
                                .build());
        return ((TextContent) result.content().getFirst()).text();
    }

    /** The progress received so far. */
    List<Double> progress() {
        return progress;
    }

    @Override
    public void close() {
        client.closeGracefully();
    }
}
