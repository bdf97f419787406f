package dev.patchbay.config.hosts;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.syntax.JsonLayout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A machine of one's own in a folder, with the files of hosts in the places of a platform. */
final class TestMachine {
    final Path home;
    final Path workingDirectory;
    final Environment userEnvironment;

    TestMachine(Path folder, Platform platform, Map<String, String> environment)
            throws IOException {
        var root = Files.createTempDirectory(folder, "machine");
        home = Files.createDirectories(root.resolve("home"));
        workingDirectory = Files.createDirectories(root.resolve("work"));
        userEnvironment = new Environment(platform, home, workingDirectory, environment);
    }

    /** The text of a sample, with the folder of the project put in. */
    String sample(String name) throws IOException {
        try (var in = TestMachine.class.getResourceAsStream("samples/" + name)) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.replace("\"WORK\"", JsonLayout.quote(workingDirectory.toString()));
        }
    }

    Path writeSample(Path file, String name) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, sample(name));
    }

    /** Puts a sample into the file of a host. */
    Path writeSample(McpHost host, HostFile.Scope scope, String name) throws IOException {
        return writeSample(hostFile(host, scope), name);
    }

    Path hostFile(McpHost host, HostFile.Scope scope) {
        return new HostFileLocator(userEnvironment).locate(host, scope).orElseThrow().path();
    }
}
