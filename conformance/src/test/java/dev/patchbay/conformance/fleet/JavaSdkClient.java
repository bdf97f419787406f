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

/** A client of the official Java SDK that has connected to a gateway. */
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
                        .progressConsumer(told -> progress.add(told.progress()))
                        .build();
        protocolVersion = client.initialize().protocolVersion();
    }

    /** What was agreed on. */
    String protocolVersion() {
        return protocolVersion;
    }

    /** Starts a gateway on the configuration of the workbench. */
    static JavaSdkClient overStdio(TestInstallation bench) {
        List<String> command =
                TestInstallation.program()
                        .launcherCommand("stdio", "--config", bench.configFile().toString());
        var parameters =
                ServerParameters.builder(command.getFirst())
                        .args(command.subList(1, command.size()))
                        .env(bench.environment())
                        .build();
        return new JavaSdkClient(new StdioClientTransport(parameters, McpJsonDefaults.getMapper()));
    }

    static JavaSdkClient overHttp(HttpGatewayProcess serving) {
        URI url = URI.create(serving.url());
        return new JavaSdkClient(
                HttpClientStreamableHttpTransport.builder(
                                url.getScheme() + "://" + url.getAuthority())
                        .endpoint(url.getPath())
                        .requestBuilder(
                                HttpRequest.newBuilder()
                                        .header("Authorization", serving.authorization()))
                        .build());
    }

    List<String> tools() {
        return client.listTools().tools().stream().map(Tool::name).toList();
    }

    /** The text that a call answers with. */
    String call(String tool, Map<String, Object> arguments) {
        var result =
                client.callTool(
                        CallToolRequest.builder(tool)
                                .arguments(arguments)
                                .progressToken(tool)
                                .build());
        return ((TextContent) result.content().getFirst()).text();
    }

    /** All progress that was told so far. */
    List<Double> progress() {
        return progress;
    }

    @Override
    public void close() {
        client.closeGracefully();
    }
}
