package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The first line on a connection to the daemon: what its sender wants. */
public sealed interface DaemonRequest {
    /** The version of the lines that relays and daemons exchange. */
    int PROTOCOL = 1;

    /**
     * A relay wants to be connected to a gateway.
     *
     * @param build the program of the relay
     * @param isNew whether the relay has just started: a daemon of an older build then makes room
     * @param client the process of the relay and what it was started with
     * @param questionIdMin the first id for requests to the client
     */
    record Attach(BuildInfo build, boolean isNew, ClientStart client, long questionIdMin)
            implements DaemonRequest {}

    /** Asks for the state of the daemon. */
    record Status() implements DaemonRequest {}

    /** Ends the daemon. Its clients start another one when they need it. */
    record Stop() implements DaemonRequest {}

    /** Lets the daemon accept no more clients, and ends it when its clients have moved. */
    record Drain() implements DaemonRequest {}

    /**
     * How a client was started.
     *
     * @param config the configuration that the user has chosen; null to search for one
     * @param variables the environment, which the configuration may refer to
     */
    record ClientStart(
            long pid,
            @Nullable Path config,
            Path workingDirectory,
            Path home,
            Map<String, String> variables) {
        public ClientStart {
            variables = Map.copyOf(variables);
        }
    }

    /** The line, without its line feed. */
    default Json toJson() {
        var writer = new JsonWriter().beginObject().member("patchbay", PROTOCOL);
        switch (this) {
            case Attach attach -> write(writer.member("request", "attach"), attach);
            case Status _ -> writer.member("request", "status");
            case Stop _ -> writer.member("request", "stop");
            case Drain _ -> writer.member("request", "drain");
        }
        return writer.endObject().toJson();
    }

    private static void write(JsonWriter writer, Attach attach) {
        ClientStart client = attach.client;
        writer.member("version", attach.build.version())
                .member("build", attach.build.id())
                .member("launcher", attach.build.launcher())
                .member("new", attach.isNew)
                .member("pid", client.pid)
                .member("workingDirectory", client.workingDirectory.toString())
                .member("home", client.home.toString())
                .member("questionIdMin", attach.questionIdMin);
        if (client.config != null) {
            writer.member("config", client.config.toString());
        }
        writer.name("environment").beginObject();
        client.variables.forEach(writer::member);
        writer.endObject();
    }

    /** Reads a line; null if it is no request of this protocol. */
    static @Nullable DaemonRequest parse(Json line) {
        Json protocol = line.member("patchbay");
        String request = line.memberText("request");
        if (protocol == null || protocol.asLong(-1) != PROTOCOL || request == null) {
            return null;
        }
        return switch (request) {
            case "attach" -> parseAttach(line);
            case "status" -> new Status();
            case "stop" -> new Stop();
            case "drain" -> new Drain();
            default -> null;
        };
    }

    private static @Nullable Attach parseAttach(Json line) {
        String directory = line.memberText("workingDirectory");
        String home = line.memberText("home");
        Json environment = line.member("environment");
        if (directory == null || home == null || environment == null || !environment.isObject()) {
            return null;
        }
        Map<String, String> variables = new LinkedHashMap<>();
        MemberCursor members = environment.memberCursor();
        while (members.next()) {
            if (members.value().isString()) {
                variables.put(members.name(), members.value().text());
            }
        }
        String config = line.memberText("config");
        var client =
                new ClientStart(
                        number(line, "pid"),
                        config == null ? null : Path.of(config),
                        Path.of(directory),
                        Path.of(home),
                        variables);
        return new Attach(
                new BuildInfo(
                        String.valueOf(line.memberText("version")),
                        String.valueOf(line.memberText("build")),
                        String.valueOf(line.memberText("launcher"))),
                Json.TRUE.equals(line.member("new")),
                client,
                number(line, "questionIdMin"));
    }

    private static long number(Json line, String name) {
        Json value = line.member(name);
        return value == null ? 0 : value.asLong(0);
    }
}
