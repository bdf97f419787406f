package dev.patchbay.app.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The options that say which gateway a command uses. */
final class GatewayOptions {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The configuration file. Default: patchbay.json in the working directory,"
                            + " .mcp.json there, or the file in your configuration folder.")
    @Nullable Path file;

    @Option(
            names = "--standalone",
            description =
                    "Start the servers for this command alone. Default: ask the background gateway"
                            + " if it runs with this configuration.")
    boolean standalone;
}
