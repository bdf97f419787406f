package dev.patchbay.conformance.ecosystem;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.patchbay.conformance.wire.SchemaCheck;
import dev.patchbay.testkit.PackagedProgram;
import dev.patchbay.testkit.ProcessLaunch;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.StrictJson;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
 * The home folder is inside, so no state is stored elsewhere.
 */
public final class TestInstallation {
    private static final long COMMAND_SECONDS_MAX = 90;

    private final Path folder;
    private final Map<String, String> servers = new LinkedHashMap<>();
    private final List<ServerScript> scripts = new ArrayList<>();
    private final Map<String, String> variables = new LinkedHashMap<>();
    private String settings = "\"selfTools\": true";
    private UnaryOperator<List<String>> commandWrapper = UnaryOperator.identity();

    public TestInstallation(Path folder) {
        this.folder = folder;
    }

    /** Exit status and output of a command. */
    public record CommandResult(int status, String out, String err) {}

    public Path folder() {
        return folder;
    }

    public Path configFile() {
        return folder.resolve("patchbay.json");
    }

    /** A script for a server that is not yet in the configuration. */
    ServerScript script(String name) {
        var script = ServerScript.named(name, folder);
        scripts.add(script);
        return script;
    }

    /** Adds a server to the configuration, with further members. */
    TestInstallation withServer(ServerScript script, String members) {
        return withServer(script.name(), script.config(members));
    }

    TestInstallation withServer(ServerScript script) {
        return withServer(script, "");
    }

    /** Adds a server to the configuration, with its entry as JSON. */
    public TestInstallation withServer(String id, String entry) {
        servers.put(id, entry);
        return this;
    }

    /** Sets an environment variable for programs that are started later. */
    public TestInstallation env(String name, String value) {
        variables.put(name, value);
        return this;
    }

    /** Adds gateway settings: members as JSON. */
    public TestInstallation settings(String members) {
        settings += ", " + members;
        return this;
    }

    /** Wraps the commands that are started later. */
    TestInstallation wrapCommands(UnaryOperator<List<String>> other) {
        commandWrapper = other;
        return this;
    }

    TestInstallation withoutServer(String id) {
        servers.remove(id);
        return this;
    }

    /** The configuration as the text of its file. */
    public String configText() {
        var entries = new ArrayList<String>();
        servers.forEach((id, entry) -> entries.add(StrictJson.quote(id) + ": " + entry));
        return "{\"patchbay\": {"
                + settings
                + "},\n\"mcpServers\": {\n"
                + String.join(",\n", entries)
                + "\n}}\n";
    }

    /** Writes the file atomically. */
    public TestInstallation save() {
        return save(configText());
    }

    /** Writes this text as the configuration, atomically. */
    public TestInstallation save(String text) {
        try {
            Path fresh = Files.writeString(folder.resolve("patchbay.json.new"), text);
            Files.move(fresh, configFile(), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** Starts a gateway with the configuration and performs the handshake. */
    public TestHost connect() throws InterruptedException {
        TestHost host = start();
        host.client().initialize("2025-11-25");
        return host;
    }

    /** Starts a gateway with the configuration, without a handshake. */
    public TestHost start() {
        return start(program().launcherCommand("stdio", "--config", configFile().toString()));
    }

    /** Starts a gateway by this command. */
    public TestHost start(List<String> command) {
        var launch =
                ProcessLaunch.of(commandWrapper.apply(command))
                        .workingDirectory(folder)
                        .checkedWith(SchemaCheck::ofClient);
        environment().forEach(launch::env);
        return new TestHost(launch.clearEnvironment().start(), scripts);
    }

    /** Runs a command with this configuration. */
    public CommandResult run(String... arguments) throws InterruptedException {
        var words = new ArrayList<>(Arrays.asList(arguments));
        words.addAll(1, List.of("--config", configFile().toString()));
        return runWithoutConfig(words.toArray(String[]::new));
    }

    /** Runs a command without adding this configuration. */
    CommandResult runWithoutConfig(String... arguments) throws InterruptedException {
        return runWithInput("", arguments);
    }

    /** Runs a command with a text on its standard input. */
    CommandResult runWithInput(String input, String... arguments) throws InterruptedException {
        try {
            Path out = Files.createTempFile(folder, "out", ".txt");
            Path err = Files.createTempFile(folder, "err", ".txt");
            var builder =
                    new ProcessBuilder(commandWrapper.apply(program().launcherCommand(arguments)));
            builder.directory(folder.toFile()).redirectOutput(out.toFile());
            builder.redirectError(err.toFile()).environment().clear();
            builder.environment().putAll(environment());
            Process process = builder.start();
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            if (!process.waitFor(COMMAND_SECONDS_MAX, SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("Did not end: patchbay " + String.join(" ", arguments));
            }
            return new CommandResult(
                    process.exitValue(), Files.readString(out), Files.readString(err));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static PackagedProgram program() {
        return PackagedProgram.find()
                .orElseThrow(() -> new AssertionError(PackagedProgram.MISSING));
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
