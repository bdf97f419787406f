import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * Publishes the program and makes its AOT caches: one for {@code stdio}, by running it through a
 * short session with two servers, one for {@code serve}, and one for the commands that end soon.
 * The program works without the caches, only starting slower, so that nothing that goes wrong here
 * is an error.
 */
final class TrainAot {
    private static final long SESSION_SECONDS_MAX = 60;
    private static final int NOT_PUBLISHED = 2;

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Path root;
    private final Path jar;
    private final Path folder;

    private TrainAot(Path root, Path build, Path folder) {
        this.root = root.toAbsolutePath().normalize();
        this.jar = build.resolve("patchbay.jar");
        this.folder = folder;
    }

    public static void main(String[] args) {
        Path product = Path.of(args[1]).toAbsolutePath().normalize();
        Path build;
        try {
            build = new Publish(product).run();
        } catch (IOException e) {
            System.err.println("The build cannot be published: " + e);
            System.exit(NOT_PUBLISHED);
            return;
        }
        try {
            new TrainAot(Path.of(args[0]), build, product.resolve("aot")).train();
        } catch (IOException | InterruptedException | RuntimeException e) {
            System.err.println("No AOT cache was made: " + e);
        }
    }

    private void train() throws IOException, InterruptedException {
        // The launcher knows the caches by these names.
        var key = jar.getParent().getFileName().toString();
        if (Files.exists(folder.resolve(key + ".aot"))) {
            return;
        }
        empty(folder);
        // The first session leaves the lists of its servers behind. The second is recorded: it
        // knows two servers already and meets two others for the first time.
        runSession("-XX:TieredStopAtLevel=1", List.of("legacy", "modern"));
        var known = List.of("legacy", "modern", "legacy-new", "modern-new");
        runSession("-XX:AOTCacheOutput=" + fresh(""), known);
        var command = new Thread(() -> attempt(this::runCommand));
        command.start();
        attempt(this::runServe);
        command.join();
        // The launcher looks here first for a JDK: the caches fit no other.
        Files.writeString(folder.resolve("jdk"), System.getProperty("java.home") + "\n");
        for (var kind : List.of("-serve", "-command", "")) {
            if (Files.exists(fresh(kind))) {
                var cache = folder.resolve(key + kind + ".aot");
                Files.move(fresh(kind), cache, StandardCopyOption.ATOMIC_MOVE);
            } else {
                System.err.println("No AOT cache was made: the training run left no " + kind);
            }
        }
    }

    private Path fresh(String kind) {
        return folder.resolve("fresh" + kind + ".aot");
    }

    private interface Training {
        void run() throws IOException, InterruptedException;
    }

    private static void attempt(Training training) {
        try {
            training.run();
        } catch (IOException | InterruptedException | RuntimeException e) {
            System.err.println("A training run failed: " + e);
        }
    }

    /** Removes what former builds left, so that caches do not pile up. */
    private static void empty(Path folder) throws IOException {
        Files.createDirectories(folder);
        try (var old = Files.newDirectoryStream(folder, "*.aot*")) {
            for (var file : old) {
                Files.delete(file);
            }
        }
    }

    private void runSession(String option, List<String> servers)
            throws IOException, InterruptedException {
        var configuration = configuration("training.json", servers, "");
        var builder = program(List.of(option), "stdio", configuration);
        builder.redirectInput(root.resolve("build", "training.jsonl").toFile());
        end(quiet(builder).start());
    }

    /** A command that most others resemble: it reads the configuration and asks the servers. */
    private void runCommand() throws IOException, InterruptedException {
        var configuration = configuration("training-command.json", List.of("legacy"), "");
        var options = List.of("-XX:TieredStopAtLevel=1", "-XX:AOTCacheOutput=" + fresh("-command"));
        end(quiet(program(options, "servers", configuration)).start());
    }

    private void runServe() throws IOException, InterruptedException {
        var settings =
                ", \"patchbay\": {\"http\": {\"listen\": \"127.0.0.1:0\", \"auth\": \"none\"}}";
        var configuration = configuration("training-serve.json", List.of("modern"), settings);
        // In two steps: the process that makes a cache at the exit of the program would be stopped
        // with the servers.
        var record = "-XX:AOTConfiguration=" + folder.resolve("serve.aotconf");
        var process =
                program(List.of("-XX:AOTMode=record", record), "serve", configuration)
                        .redirectErrorStream(true)
                        .start();
        process.onExit()
                .orTimeout(SESSION_SECONDS_MAX, SECONDS)
                .exceptionally(_ -> process.destroyForcibly());
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            var line = out.readLine();
            while (line != null && !line.contains("http://")) {
                line = out.readLine();
            }
            if (line != null) {
                useServe(URI.create(line.substring(line.indexOf("http://")).strip()));
            }
            process.destroy();
            end(process);
        }
        var create = List.of("-XX:AOTMode=create", record, "-XX:AOTCache=" + fresh("-serve"));
        end(quiet(program(create, "serve", configuration)).start());
        Files.deleteIfExists(folder.resolve("serve.aotconf"));
    }

    /** Sends the requests of the session over HTTP, and opens the dashboard. */
    private void useServe(URI endpoint) throws IOException, InterruptedException {
        var requests = new ArrayList<HttpRequest>();
        for (var path : List.of("/healthz", "/", "/metrics")) {
            requests.add(HttpRequest.newBuilder(endpoint.resolve(path)).build());
        }
        for (var line : Files.readAllLines(root.resolve("build", "training.jsonl"))) {
            var modern = line.contains("2026-07-28");
            if (line.contains("\"initialize\"") || modern && line.contains("tools/list")) {
                var request =
                        HttpRequest.newBuilder(endpoint)
                                .header("Content-Type", "application/json")
                                .header("Accept", "application/json, text/event-stream")
                                .POST(BodyPublishers.ofString(line, StandardCharsets.UTF_8));
                if (modern) {
                    request.header("MCP-Protocol-Version", "2026-07-28");
                    request.header("Mcp-Method", "tools/list");
                }
                requests.add(request.build());
            }
        }
        try (var client = HttpClient.newHttpClient()) {
            for (var request : requests) {
                client.send(request, BodyHandlers.discarding());
            }
        }
    }

    /** The program with a command and a configuration, away from the files of the user. */
    private ProcessBuilder program(List<String> options, String command, Path configuration)
            throws IOException {
        var words = new ArrayList<String>();
        words.add(JAVA);
        words.add("@" + root.resolve("build", "jvm.options"));
        words.addAll(options);
        words.addAll(List.of("-cp", jar.toString(), "dev.patchbay.app.Main"));
        words.addAll(List.of(command, "--config", configuration.toString()));
        var builder = new ProcessBuilder(words);
        isolate(builder);
        return builder;
    }

    private static ProcessBuilder quiet(ProcessBuilder builder) {
        return builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
    }

    private static void end(Process process) throws InterruptedException {
        if (!process.waitFor(SESSION_SECONDS_MAX, SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
    }

    /** Writes a configuration with servers of these names, each of the era its name begins with. */
    private Path configuration(String name, List<String> servers, String settings)
            throws IOException {
        var program = root.resolve("build", "TrainServer.java").toString();
        var entries = new StringJoiner(",\n", "{\"mcpServers\": {\n", "}" + settings + "}\n");
        for (var server : servers) {
            entries.add(
                    "\"%s\": {\"command\": \"%s\", \"args\": [\"%s\", \"%s\"]}"
                            .formatted(server, quoted(JAVA), quoted(program), server));
        }
        return Files.writeString(folder.resolve(name), entries.toString());
    }

    private static String quoted(String path) {
        return path.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    /** Lets the session see neither the user's configuration nor the user's state. */
    private void isolate(ProcessBuilder builder) throws IOException {
        var home = Files.createDirectories(folder.resolve("home"));
        builder.directory(home.toFile());
        builder.environment().put("HOME", home.toString());
        for (var name : List.of("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")) {
            builder.environment().remove(name);
        }
    }
}
