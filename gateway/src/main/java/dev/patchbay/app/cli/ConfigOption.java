package dev.patchbay.app.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The option {@code --config}. */
final class ConfigOption {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The configuration file. Default: patchbay.json in the working directory,"
                            + " .mcp.json there, or the file in your configuration folder.")
    @Nullable Path file;
}
