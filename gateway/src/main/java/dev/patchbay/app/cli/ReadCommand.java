package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;
import dev.patchbay.catalog.Catalog;
import dev.patchbay.gateway.CallContext;
import dev.patchbay.gateway.CallResult;
import dev.patchbay.json.Json;
import dev.patchbay.json.MemberPatch;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code patchbay read}: reads a resource. */
@Command(
        name = "read",
        description = "Read a resource and print its content.",
        mixinStandardHelpOptions = true)
final class ReadCommand implements Callable<Integer>, GatewayCommand {
    private static final String METHOD = "resources/read";

    private final AppContext context;

    @Mixin private GatewayOptions config = new GatewayOptions();
    @Mixin private ServerOption servers = new ServerOption();

    @Parameters(
            index = "0",
            paramLabel = "URI",
            description = "The URI of the resource, as shown by patchbay resources.")
    private String uri;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Write the content to this file, binary content decoded.")
    private @Nullable Path output;

    @Option(names = "--json", description = "Print the result as JSON.")
    private boolean json;

    ReadCommand(AppContext context) {
        this.context = context;
    }

    @Override
    public GatewayOptions gatewayOptions() {
        return config;
    }

    /** The file is to be written by the process of the user, in its directory. */
    @Override
    public boolean isBoundToThisProcess() {
        return output != null;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        try (CommandGateway configured = servers.openForUri(context, config.file, uri)) {
            configured.recordCalls();
            configured.discoverQuietly();
            Json params = MemberPatch.with(Json.EMPTY_OBJECT, "uri", Json.string(uri));
            CallResult result = configured.gateway().resource(METHOD, params, CallContext.NONE);
            if (output != null && result instanceof CallResult.Answered(_, Json answer)) {
                write(answer, output);
            }
            return new RequestReport(context.terminal(), json, METHOD, List.of("contents"))
                    .print(result, this::print, advice(configured.gateway().catalog()));
        }
    }

    private List<String> advice(Catalog catalog) {
        List<String> known =
                catalog.advertisedResources().stream()
                        .map(it -> String.valueOf(it.memberText("uri")))
                        .toList();
        return known.contains(uri)
                ? List.of()
                : CallAdvice.similarNames(uri, known, "patchbay resources");
    }

    private static List<Json> contents(Json answer) {
        Json contents = answer.member("contents");
        return contents == null || !contents.isArray() ? List.of() : contents.elements();
    }

    private static void write(Json answer, Path file) throws IOException {
        List<Json> contents = contents(answer);
        if (contents.size() != 1) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "The resource has %d contents, so it is not written to one file."
                            .formatted(contents.size()));
        }
        Json content = contents.getFirst();
        String blob = content.memberText("blob");
        String text = content.memberText("text");
        try {
            Files.write(
                    file,
                    blob != null
                            ? Base64.getMimeDecoder().decode(blob)
                            : (text == null ? "" : text).getBytes(StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(
                    ExitCode.FAILED, "The server sent content that is not valid base64.");
        }
    }

    private void print(Json answer) {
        if (output != null) {
            context.terminal().printMessage("Wrote " + output);
            return;
        }
        for (Json content : contents(answer)) {
            ResultPrinter.printContent(context.terminal(), content);
        }
    }
}
