package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;
import dev.patchbay.app.wiring.ConfigSource;
import dev.patchbay.app.wiring.ConfiguredGateway;
import dev.patchbay.catalog.Tool;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.hosts.McpHost;
import dev.patchbay.gateway.StoredTools;
import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The names that the configuration and the last known lists of servers have. */
final class KnownNames {
    private final AppContext context;
    private final @Nullable Configuration configuration;

    /**
     * @param words a command line, which may name a configuration
     */
    KnownNames(AppContext context, List<String> words) {
        this.context = context;
        this.configuration = read(context, words);
    }

    private static @Nullable Configuration read(AppContext context, List<String> words) {
        int option = words.indexOf("--config");
        try {
            Path chosen =
                    option < 0 || option + 1 >= words.size()
                            ? null
                            : Path.of(words.get(option + 1));
            ConfigSource source = ConfigSource.find(context, chosen);
            return source.file().filter(Files::exists).isPresent()
                            && source.read() instanceof ConfigReadResult.Valid(Configuration it, _)
                    ? it
                    : null;
        } catch (InvalidPathException _) {
            return null;
        }
    }

    Stream<String> servers() {
        return configuration == null
                ? Stream.empty()
                : configuration.servers().stream().map(it -> it.id().value());
    }

    Stream<String> hosts() {
        return Arrays.stream(McpHost.values()).map(McpHost::cliName);
    }

    /** The full names of the tools that servers had the last time. */
    Stream<String> tools() {
        return storedTools().map(it -> it.name().text());
    }

    /** The keys of a tool's arguments, each with an equals sign. */
    Stream<String> arguments(String tool) {
        return storedTools()
                .filter(it -> it.name().text().equals(tool) || it.name().name().equals(tool))
                .limit(1)
                .map(it -> it.inputSchema().member("properties"))
                .filter(it -> it != null && it.isObject())
                .flatMap(it -> it.members().stream())
                .map(Json.Member::name)
                .map(name -> name + "=");
    }

    private Stream<Tool> storedTools() {
        if (configuration == null) {
            return Stream.empty();
        }
        Path stateDir = ConfiguredGateway.stateDir(context, configuration.settings().stateDir());
        var stored = new StoredTools(stateDir);
        return configuration.servers().stream().flatMap(it -> stored.of(it).stream());
    }
}
