package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.CommandFailedException;
import dev.patchbay.app.wiring.CommandGateway;
import dev.patchbay.app.wiring.ExitCode;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;
import java.util.List;

/** The option {@code --server}, which limits a command to some servers. */
final class ServerOption {
    @Option(
            names = "--server",
            paramLabel = "ID",
            description = "Ask only this server; no other is started. Can be repeated.")
    List<String> ids = List.of();

    /** Opens a gateway with the chosen servers, or with all. */
    CommandGateway open(AppContext context, @Nullable Path config) {
        return check(CommandGateway.open(context, config, ids));
    }

    /** Opens a gateway with the chosen servers, or with the one that a URI is qualified with. */
    CommandGateway openForUri(AppContext context, @Nullable Path config, String uri) {
        return ids.isEmpty()
                ? CommandGateway.openForUri(context, config, uri)
                : open(context, config);
    }

    /** Whether a server is one of the chosen ones. */
    boolean includes(@Nullable String server) {
        return ids.isEmpty() || (server != null && ids.contains(server));
    }

    private CommandGateway check(CommandGateway opened) {
        for (String id : ids) {
            if (!opened.configuredIds().contains(id)) {
                opened.close();
                throw new CommandFailedException(
                        ExitCode.FAILED, UnknownServerText.of(id, opened.configuredIds()));
            }
        }
        return opened;
    }
}
