package dev.patchbay.testkit;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The command of a {@link ScriptedServer} and the place of its traces: {@code
 * ServerScript.named("alpha", dir).tools("echo", "nap=slow:ms=200").era("dual")}. The knobs are
 * those of {@link ScriptedServer}.
 */
public final class ServerScript {
    private final String name;
    private final Path folder;
    private final Map<String, String> options = new LinkedHashMap<>();

    private ServerScript(String name, Path folder) {
        this.name = name;
        this.folder = folder;
        withOption("name", name);
        withOption("counter", counter().toString());
        withOption("traffic", traffic().toString());
    }

    /** A server of this name that leaves its traces in the folder. */
    public static ServerScript named(String name, Path folder) {
        return new ServerScript(name, folder.toAbsolutePath());
    }

    /** Sets a knob, given without its dashes. */
    public ServerScript withOption(String knob, String value) {
        options.put(knob, value);
        return this;
    }

    public ServerScript withOption(String knob, long value) {
        return withOption(knob, Long.toString(value));
    }

    /** Sets a knob that is on or off. */
    public ServerScript withOption(String knob) {
        return withOption(knob, "true");
    }

    public ServerScript era(String era) {
        return withOption("era", era);
    }

    public ServerScript tools(String... tools) {
        return withOption("tools", String.join(",", tools));
    }

    /**
     * Has the server read its tools from a file with these definitions, a JSON array. It may run
     * already: then it finds those of before or these.
     */
    public ServerScript withToolDefinitions(String tools) {
        Path file = folder.resolve(name + ".tools.json");
        try {
            Path fresh = Files.writeString(folder.resolve(name + ".tools.new"), tools);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return withOption("tools-file", file.toString());
    }

    /** What happens at a method or a page of a list, as {@code at("tools/list:2=hang")}. */
    public ServerScript at(String... actions) {
        return withOption("at", String.join(",", actions));
    }

    public String name() {
        return name;
    }

    /** The whole command, program first. */
    public List<String> command() {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:TieredStopAtLevel=1");
        command.add("-XX:+UseSerialGC");
        command.add("-XX:-UsePerfData");
        command.addAll(cacheOptions());
        command.add("-Xmx256m");
        // A server that is told to crash leaves no dump behind.
        command.add("-XX:-CreateCoredumpOnCrash");
        command.add("-XX:+SuppressFatalErrorMessage");
        command.add("-cp");
        command.add(classPath());
        command.add(ScriptedServer.class.getName());
        for (Map.Entry<String, String> knob : options.entrySet()) {
            command.add("--" + knob.getKey());
            command.add(knob.getValue());
        }
        return command;
    }

    /** The server as the value of an entry of {@code mcpServers}. */
    public String config() {
        return config("");
    }

    /** As {@link #config()}, with more members, as {@code "\"maxRetries\":0"}. */
    public String config(String members) {
        List<String> command = command();
        var args = new ArrayList<String>();
        for (String word : command.subList(1, command.size())) {
            args.add(StrictJson.quote(word));
        }
        String more = members.isEmpty() ? "" : "," + members;
        return "{\"command\":"
                + StrictJson.quote(command.get(0))
                + ",\"args\":["
                + String.join(",", args)
                + "]"
                + more
                + "}";
    }

    /** A whole configuration file with these servers under their names. */
    public static String configFile(ServerScript... servers) {
        var entries = new ArrayList<String>();
        for (ServerScript server : servers) {
            entries.add(StrictJson.quote(server.name) + ":" + server.config());
        }
        return "{\"mcpServers\":{" + String.join(",", entries) + "}}";
    }

    /** A raw client that talks to this server directly. */
    public ProcessLaunch launch() {
        return ProcessLaunch.of(command());
    }

    /** What the server has recorded. */
    public ServerRecording recording() {
        return new ServerRecording(counter(), traffic());
    }

    private Path counter() {
        return folder.resolve(name + ".starts");
    }

    private Path traffic() {
        return folder.resolve(name + ".traffic");
    }

    /** The AOT cache of this jar, if the build made one: see build/TrainScriptedServer.java. */
    private static List<String> cacheOptions() {
        Path jar = Path.of(classPath());
        try {
            String key = Files.size(jar) + "-" + Files.getLastModifiedTime(jar).to(SECONDS);
            Path cache = jar.resolveSibling("scripted-server-" + key + ".aot");
            return Files.isRegularFile(jar) && Files.exists(cache)
                    ? List.of("-Xlog:disable", "-XX:AOTCache=" + cache)
                    : List.of("-Xshare:auto");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classPath() {
        try {
            var source = ScriptedServer.class.getProtectionDomain().getCodeSource();
            return Path.of(source.getLocation().toURI()).toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
