package dev.patchbay.config;

import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;

import java.util.List;
import java.util.Map;

/** A configuration: the servers in the order of the file, and the gateway's settings. */
public record Configuration(List<ServerSpec> servers, PatchbaySettings settings) {
    /** The id of the built-in Java REPL when nothing else is configured. */
    public static final ServerId REPL_ID = new ServerId("java");

    public Configuration {
        servers = List.copyOf(servers);
    }

    /** The same with other servers. */
    public Configuration withServers(List<ServerSpec> others) {
        return new Configuration(others, settings);
    }

    /** The same with the servers of a view only; without any if there is no such view. */
    public Configuration restrictedTo(String view) {
        return withServers(
                settings.view(view)
                        .map(it -> servers.stream().filter(one -> it.shows(one.id())).toList())
                        .orElse(List.of()));
    }

    /** The configuration without any file: the built-in REPL, started by the given command. */
    public static Configuration replOnly(List<String> replCommand) {
        var transport =
                new Transport.Stdio(
                        replCommand.getFirst(),
                        replCommand.subList(1, replCommand.size()),
                        Map.of(),
                        null);
        var repl = new ServerSpec(REPL_ID, transport, Options.DEFAULTS);
        return new Configuration(List.of(repl), PatchbaySettings.DEFAULTS);
    }
}
