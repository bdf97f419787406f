package dev.patchbay.app.cli;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Option;

import java.nio.file.Path;

/** The option that chooses the configuration file. */
final class ConfigOption {
    @Option(
            names = "--config",
            paramLabel = "FILE",
            description =
                    "The configuration to use. Without it: patchbay.json in this folder, .mcp.json"
                            + " there, or the one in your configuration folder.")
    @Nullable Path file;
}
