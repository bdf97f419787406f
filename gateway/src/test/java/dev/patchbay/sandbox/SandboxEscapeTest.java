package dev.patchbay.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A hostile program in a sandbox: what it tries, and what it gets. */
class SandboxEscapeTest {
    private static final int ATTEMPTS = 13;
    private static final String ORDINARY_USER = "65534";
    private static final String SETPRIV = "/usr/bin/setpriv";

    @TempDir private Path folder;

    /** The attempts are real: without a sandbox, all of them succeed. */
    @Test
    void everyAttemptSucceedsWithoutASandbox() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "others cannot debug, say");
        List<String> lines = SandboxTrial.run("landlock", "none", folder);
        assertThat(attempts(lines)).hasSize(ATTEMPTS).allMatch(line -> line.endsWith("ESCAPED"));
    }

    @ParameterizedTest
    @CsvSource({"bubblewrap, strict", "landlock, strict"})
    void strictDeniesEveryAttempt(String mechanism, String level) throws Exception {
        assumeTrue(SandboxTrial.isAvailable(mechanism), mechanism + " does not work here");
        requireDenied(SandboxTrial.run(mechanism, level, folder), List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "bubblewrap, standard, connect-out abstract-socket",
        "landlock, standard, connect-out"
    })
    void standardDeniesWhatItPromises(String mechanism, String level, String open)
            throws Exception {
        assumeTrue(SandboxTrial.isAvailable(mechanism), mechanism + " does not work here");
        requireDenied(SandboxTrial.run(mechanism, level, folder), List.of(open.split(" ", -1)));
    }

    /** The gateway is run by a user without privileges, if the tests are run by root. */
    @Test
    void ordinaryUsersGetTheSameSandbox() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "tested by the others");
        assumeTrue(Files.isExecutable(Path.of(SETPRIV)), "there is no setpriv");
        assumeTrue(SandboxTrial.isAvailable("bubblewrap"), "bubblewrap does not work here");
        var trials = new ArrayList<>(List.of("bubblewrap/standard", "bubblewrap/strict"));
        if (SandboxTrial.isAvailable("landlock")) {
            trials.addAll(List.of("landlock/standard", "landlock/strict"));
        }
        List<String> lines = runAsOrdinaryUser(trials);
        for (String trial : trials) {
            List<String> own =
                    lines.stream()
                            .filter(line -> line.startsWith(trial + " "))
                            .map(line -> line.substring(trial.length() + 1))
                            .toList();
            List<String> open =
                    switch (trial) {
                        case "bubblewrap/standard" -> List.of("connect-out", "abstract-socket");
                        case "landlock/standard" -> List.of("connect-out");
                        default -> List.of();
                    };
            requireDenied(own, open);
        }
    }

    private static List<String> attempts(List<String> lines) {
        return lines.stream().filter(line -> line.contains(": ")).toList();
    }

    /** Requires that all attempts were denied but those of the given names, which are allowed. */
    private static void requireDenied(List<String> lines, List<String> open) {
        assertThat(lines).contains("exit 0");
        assertThat(attempts(lines))
                .hasSize(ATTEMPTS)
                .allSatisfy(
                        line -> {
                            String name = line.substring(0, line.indexOf(':'));
                            if (open.contains(name)) {
                                assertThat(line).endsWith("ESCAPED");
                            } else {
                                assertThat(line).contains(": denied");
                            }
                        })
                // The race was run, and not refused before it began.
                .contains("symlink-race: denied");
    }

    private List<String> runAsOrdinaryUser(List<String> trials) throws Exception {
        Path shared = Files.createTempDirectory("patchbay-test");
        try {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
            var command = new ArrayList<String>();
            command.addAll(List.of(SETPRIV, "--reuid", ORDINARY_USER, "--regid", ORDINARY_USER));
            command.add("--clear-groups");
            var java = new ArrayList<>(SandboxTrial.javaCommand(SandboxTrial.class));
            java.set(java.indexOf("-cp") + 1, copyOfClasses(shared));
            command.addAll(java);
            command.add(shared.toString());
            command.addAll(trials);
            Process process =
                    new ProcessBuilder(command)
                            .directory(shared.toFile())
                            .redirectErrorStream(true)
                            .start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            return output.lines().toList();
        } finally {
            delete(shared);
        }
    }

    /** Copies the classes to where every user can read them. */
    private static String copyOfClasses(Path shared) throws IOException {
        var copies = new ArrayList<String>();
        for (String folder : SandboxTrial.classPath()) {
            Path from = Path.of(folder);
            Path to = shared.resolve("classes" + copies.size());
            for (String name : List.of("sandbox", "server", "stdio", "files", "text", "json")) {
                copyPackage(from.resolve("dev/patchbay", name), to.resolve("dev/patchbay", name));
            }
            copyPackage(
                    from.resolve("dev/patchbay/background"), to.resolve("dev/patchbay/background"));
            copyPackage(from.resolve("dev/patchbay/jsonrpc"), to.resolve("dev/patchbay/jsonrpc"));
            copies.add(to.toString());
        }
        return String.join(":", copies);
    }

    private static void copyPackage(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
