package dev.patchbay.sandbox;

import static dev.patchbay.sandbox.EscapeProbe.SECRET;

import dev.patchbay.files.CodeLocation;
import dev.patchbay.sandbox.SeccompFilter.Architecture;
import dev.patchbay.server.SandboxPolicy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs the hostile program in a sandbox, with targets that a program without a sandbox reaches. As
 * a program of its own it can be run by another user; then it prints what the hostile one prints.
 */
final class SandboxTrial {
    private SandboxTrial() {}

    /** Runs trials in an empty folder of the user: mechanisms and levels, as {@code a/b}. */
    public static void main(String[] args) throws Exception {
        for (String trial : List.of(args).subList(1, args.length)) {
            String[] parts = trial.split("/", -1);
            Path folder = Files.createTempDirectory(Path.of(args[0]), "trial");
            for (String line : run(parts[0], parts[1], folder)) {
                System.out.println(trial + " " + line);
            }
        }
    }

    /** Whether a mechanism works on this machine. */
    static boolean isAvailable(String mechanism) throws IOException {
        Architecture architecture = Architecture.current();
        return switch (mechanism) {
            case "bubblewrap" -> Bubblewrap.find(System.getenv("PATH")).isPresent();
            default -> architecture != null && new LinuxKernel(architecture).landlockVersion() >= 6;
        };
    }

    /** The lines that the hostile program prints. */
    static List<String> run(String mechanism, String level, Path root) throws Exception {
        Path home = Files.createDirectories(root.resolve("home"));
        Path credentials = Files.createDirectories(home.resolve(".ssh")).resolve("id_canary");
        Files.writeString(credentials, SECRET);
        Path state = Files.createDirectories(root.resolve("state")).resolve("token");
        Files.writeString(state, SECRET);
        Path outside = Files.createDirectories(home.resolve("Documents"));
        Path folder = Files.createDirectories(home.resolve("project"));
        Path socket = root.resolve("daemon.sock");
        String abstractName = root.getFileName() + "-" + ProcessHandle.current().pid();
        Process neighbour = neighbour(credentials);
        try (var tcp = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
                var unix = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            unix.bind(UnixDomainSocketAddress.of(socket));
            RawSystemCalls.listenAbstract(abstractName);
            var variables = new HashMap<>(System.getenv());
            variables.put(ServerSandbox.MECHANISM_VARIABLE, mechanism);
            var host = new SandboxHost(variables, home, root.resolve("state"), List.of());
            var words = new ArrayList<>(javaCommand(EscapeProbe.class));
            words.add("credentials=" + credentials);
            words.add("state=" + state);
            words.add("outside=" + outside);
            words.add("folder=" + folder);
            words.add("socket=" + socket);
            words.add("abstract=" + abstractName);
            words.add("port=" + tcp.getLocalPort());
            words.add("pid=" + neighbour.pid());
            return lines(host, policy(level, folder), words, folder);
        } finally {
            neighbour.destroyForcibly();
        }
    }

    /** Another process of the user: its environment holds a secret. */
    private static Process neighbour(Path credentials) throws IOException {
        var builder = new ProcessBuilder("sleep", "600");
        builder.environment().put("TOKEN", SECRET);
        return builder.directory(credentials.getParent().toFile()).start();
    }

    private static SandboxPolicy policy(String level, Path folder) {
        List<String> code = classPath();
        return switch (level) {
            case "none" -> SandboxPolicy.none();
            case "standard" -> new SandboxPolicy.Standard(code, List.of());
            default -> new SandboxPolicy.Strict(code, List.of(folder.toString()), List.of());
        };
    }

    static List<String> classPath() {
        return Stream.of(EscapeProbe.class, ServerSandbox.class)
                .map(type -> CodeLocation.of(type).toAbsolutePath().toString())
                .distinct()
                .toList();
    }

    /** The command that runs a class of the tests. */
    static List<String> javaCommand(Class<?> main) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                String.join(":", classPath()),
                main.getName());
    }

    /** What a confined program prints. */
    static List<String> lines(
            SandboxHost host, SandboxPolicy policy, List<String> words, Path folder)
            throws IOException, InterruptedException {
        try (var sandbox = new ServerSandbox(() -> host)) {
            var builder =
                    new ProcessBuilder(words).directory(folder.toFile()).redirectErrorStream(true);
            builder.environment().put("HOME", host.home().toString());
            Process process = sandbox.launcher("trial", policy).launch(builder);
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            var lines = new ArrayList<>(output.lines().toList());
            lines.add("exit " + code);
            return lines;
        }
    }
}
