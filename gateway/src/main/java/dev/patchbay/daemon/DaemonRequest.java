package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.json.MemberCursor;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
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
     * @param view the view that the client gets; null for all tools
     * @param questionIdMin the first id for requests to the client
     */
    record Attach(
            BuildInfo build,
            boolean isNew,
            ClientStart client,
            @Nullable String view,
            long questionIdMin)
            implements DaemonRequest {}

    /**
     * Runs a command of the command line with an open gateway of the daemon. Lines with {@link
     * CommandEvent}s follow the reply.
     *
     * @param build the program of the sender, which must be that of the daemon
     * @param arguments the command line
     * @param isInteractive whether the output of the command is a terminal
     * @param width the width of the output in characters
     */
    record Run(
            BuildInfo build,
            ClientStart client,
            List<String> arguments,
            boolean isInteractive,
            int width)
            implements DaemonRequest {
        public Run {
            arguments = List.copyOf(arguments);
        }
    }

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
            case Run run -> write(writer.member("request", "run"), run);
            case Status _ -> writer.member("request", "status");
            case Stop _ -> writer.member("request", "stop");
            case Drain _ -> writer.member("request", "drain");
        }
        return writer.endObject().toJson();
    }

    private static void write(JsonWriter writer, Attach attach) {
        write(writer, attach.build);
        write(writer, attach.client);
        writer.member("new", attach.isNew).member("questionIdMin", attach.questionIdMin);
        if (attach.view != null) {
            writer.member("view", attach.view);
        }
    }

    private static void write(JsonWriter writer, Run run) {
        write(writer, run.build);
        write(writer, run.client);
        writer.name("arguments").beginArray();
        run.arguments.forEach(writer::string);
        writer.endArray().member("interactive", run.isInteractive).member("width", run.width);
    }

    private static void write(JsonWriter writer, BuildInfo build) {
        writer.member("version", build.version())
                .member("build", build.id())
                .member("launcher", build.launcher());
    }

    private static void write(JsonWriter writer, ClientStart client) {
        writer.member("pid", client.pid)
                .member("workingDirectory", client.workingDirectory.toString())
                .member("home", client.home.toString());
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
            case "run" -> parseRun(line);
            case "status" -> new Status();
            case "stop" -> new Stop();
            case "drain" -> new Drain();
            default -> null;
        };
    }

    private static @Nullable Attach parseAttach(Json line) {
        ClientStart client = parseClient(line);
        return client == null
                ? null
                : new Attach(
                        parseBuild(line),
                        Json.TRUE.equals(line.member("new")),
                        client,
                        line.memberText("view"),
                        number(line, "questionIdMin"));
    }

    private static @Nullable Run parseRun(Json line) {
        ClientStart client = parseClient(line);
        Json arguments = line.member("arguments");
        if (client == null || arguments == null || !arguments.isArray()) {
            return null;
        }
        List<String> words =
                arguments.elements().stream().filter(Json::isString).map(Json::text).toList();
        return new Run(
                parseBuild(line),
                client,
                words,
                Json.TRUE.equals(line.member("interactive")),
                (int) number(line, "width"));
    }

    private static BuildInfo parseBuild(Json line) {
        return new BuildInfo(
                String.valueOf(line.memberText("version")),
                String.valueOf(line.memberText("build")),
                String.valueOf(line.memberText("launcher")));
    }

    private static @Nullable ClientStart parseClient(Json line) {
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
        return new ClientStart(
                number(line, "pid"),
                config == null ? null : Path.of(config),
                Path.of(directory),
                Path.of(home),
                variables);
    }

    private static long number(Json line, String name) {
        Json value = line.member(name);
        return value == null ? 0 : value.asLong(0);
    }
}
