package dev.patchbay.config;

import dev.patchbay.config.Surroundings.Platform;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A machine of one's own in a folder, with the files of hosts in the places of a platform. */
final class Machine {
    final Path home;
    final Path work;
    final Surroundings surroundings;

    Machine(Path folder, Platform platform, Map<String, String> environment) throws IOException {
        var root = Files.createTempDirectory(folder, "machine");
        home = Files.createDirectories(root.resolve("home"));
        work = Files.createDirectories(root.resolve("work"));
        surroundings = new Surroundings(platform, home, work, environment);
    }

    /** The text of a sample, with the folder of the project put in. */
    String sample(String name) throws IOException {
        try (var in = Machine.class.getResourceAsStream("hosts/" + name)) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return text.replace("\"WORK\"", Layout.quote(work.toString()));
        }
    }

    Path put(Path file, String name) throws IOException {
        Files.createDirectories(file.getParent());
        return Files.writeString(file, sample(name));
    }

    /** Puts a sample into the file of a host. */
    Path put(Host host, HostFile.Scope scope, String name) throws IOException {
        return put(file(host, scope), name);
    }

    Path file(Host host, HostFile.Scope scope) {
        return new HostFiles(surroundings).of(host, scope).orElseThrow().path();
    }
}
