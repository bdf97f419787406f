package dev.patchbay.conformance.ecosystem;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.Launch;
import dev.patchbay.testkit.Program;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A folder with a configuration, and the program started in it: gateways on stdio, and commands.
 * The home folder of whatever runs here is inside, so that nothing is remembered elsewhere.
 */
public final class Workbench {
    private static final long COMMAND_SECONDS_MAX = 90;

    private final Path folder;
    private final Map<String, String> servers = new LinkedHashMap<>();
    private final List<ServerScript> scripts = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private String settings = "\"selfTools\": true";
    private UnaryOperator<List<String>> way = UnaryOperator.identity();

    public Workbench(Path folder) {
        this.folder = folder;
    }

    /** What a command left behind. */
    public record Outcome(int status, String out, String err) {}

    public Path folder() {
        return folder;
    }

    public Path file() {
        return folder.resolve("patchbay.json");
    }

    /** A scripted server of this name, not yet part of the configuration. */
    ServerScript script(String name) {
        var script = ServerScript.named(name, folder);
        scripts.add(script);
        return script;
    }

    /** Puts a server into the configuration, with these members more. */
    Workbench with(ServerScript script, String members) {
        return with(script.name(), script.config(members));
    }

    Workbench with(ServerScript script) {
        return with(script, "");
    }

    /** Puts a server into the configuration: its entry as JSON. */
    public Workbench with(String id, String entry) {
        servers.put(id, entry);
        return this;
    }

    /** Sets a variable in the environment of what is started from now on. */
    public Workbench env(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /** Adds settings of the gateway itself: members as JSON. */
    Workbench settings(String members) {
        settings += ", " + members;
        return this;
    }

    /** Starts everything from now on by another command, made of the usual one. */
    Workbench through(UnaryOperator<List<String>> other) {
        way = other;
        return this;
    }

    Workbench without(String id) {
        servers.remove(id);
        return this;
    }

    /** The configuration as the text of its file. */
    public String text() {
        var entries = new ArrayList<String>();
        servers.forEach((id, entry) -> entries.add(StrictJson.quote(id) + ": " + entry));
        return "{\"patchbay\": {"
                + settings
                + "},\n\"mcpServers\": {\n"
                + String.join(",\n", entries)
                + "\n}}\n";
    }

    /** Writes the file, all of it at once. */
    public Workbench save() {
        return save(text());
    }

    /** Writes this text in place of the configuration, all of it at once. */
    public Workbench save(String text) {
        try {
            Path fresh = Files.writeString(folder.resolve("patchbay.json.new"), text);
            Files.move(fresh, file(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Starts a gateway on the configuration and greets it. */
    public Host open() throws InterruptedException {
        Host host = start();
        host.client().initialize("2025-11-25");
        return host;
    }

    /** Starts a gateway on the configuration, and leaves it to the test to say the first word. */
    public Host start() {
        return start(program().launcher("stdio", "--config", file().toString()));
    }

    /** Starts a gateway by this command. */
    public Host start(List<String> command) {
        var launch = Launch.of(way.apply(command)).in(folder).checkedBy(SchemaCheck::ofClient);
        environment().forEach(launch::env);
        return new Host(launch.clearEnvironment().start(), scripts);
    }

    /** Runs a command to its end, with this configuration unless its first word says otherwise. */
    public Outcome run(String... arguments) throws InterruptedException {
        var words = new ArrayList<>(Arrays.asList(arguments));
        words.addAll(1, List.of("--config", file().toString()));
        return bare(words.toArray(String[]::new));
    }

    /** Runs a command to its end just as it is given. */
    Outcome bare(String... arguments) throws InterruptedException {
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            var builder = new ProcessBuilder(way.apply(program().launcher(arguments)));
            builder.directory(folder.toFile()).redirectOutput(out.toFile());
            builder.redirectError(err.toFile()).environment().clear();
            builder.environment().putAll(environment());
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(COMMAND_SECONDS_MAX, SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("Did not end: patchbay " + String.join(" ", arguments));
            }
            return new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Program program() {
        return Program.find().orElseThrow(() -> new AssertionError(Program.MISSING));
    }

    public Map<String, String> environment() {
        var all = new LinkedHashMap<String, String>();
        all.put("PATH", System.getenv("PATH"));
        all.put("HOME", folder.toString());
        all.put("JAVA_HOME", System.getProperty("java.home"));
        all.putAll(variables);
        return all;
    }
}
