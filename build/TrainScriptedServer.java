import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * Makes the AOT cache of the scripted server, which tests start thousands of times: {@code java
 * build/TrainScriptedServer.java JAR}. A server starts in a third of the time with it. Tests work
 * without the cache, so that nothing that goes wrong here is an error.
 */
final class TrainScriptedServer {
    private static final long SESSION_SECONDS_MAX = 60;
    private static final List<String> SESSION =
            List.of(
                    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
                            + "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                            + "\"clientInfo\":{\"name\":\"training\",\"version\":\"1\"}}}",
                    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}",
                    "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{"
                            + "\"name\":\"echo\",\"arguments\":{\"text\":\"a\"}}}");

    private TrainScriptedServer() {}

    public static void main(String[] args) {
        try {
            train(Path.of(args[0]).toAbsolutePath().normalize());
        } catch (IOException | InterruptedException | RuntimeException e) {
            System.err.println("No AOT cache was made: " + e);
        }
    }

    private static void train(Path jar) throws IOException, InterruptedException {
        // ServerScript computes the same name.
        String key = Files.size(jar) + "-" + Files.getLastModifiedTime(jar).to(SECONDS);
        Path cache = jar.resolveSibling("scripted-server-" + key + ".aot");
        if (Files.exists(cache)) {
            return;
        }
        try (DirectoryStream<Path> old =
                Files.newDirectoryStream(jar.getParent(), "scripted-server-*.aot*")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
        Path fresh = jar.resolveSibling("scripted-server-fresh.aot");
        var training =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xlog:disable",
                        "-XX:AOTCacheOutput=" + fresh,
                        "-cp",
                        jar.toString(),
                        "dev.patchbay.testkit.ScriptedServer");
        Process process =
                training.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
        try (var input = process.getOutputStream()) {
            input.write((String.join("\n", SESSION) + "\n").getBytes(StandardCharsets.UTF_8));
        }
        if (!process.waitFor(SESSION_SECONDS_MAX, SECONDS)) {
            process.destroyForcibly();
        }
        if (Files.exists(fresh)) {
            Files.move(fresh, cache, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
