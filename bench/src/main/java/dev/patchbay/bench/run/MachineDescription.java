package dev.patchbay.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the figures depend on, as far as it can be told without telling whose machine it is. */
final class MachineDescription {
    private MachineDescription() {}

    static String describe() {
        var facts = new ArrayList<String>();
        var cores = Runtime.getRuntime().availableProcessors();
        facts.add(
                cores
                        + " cores"
                        + field("/proc/cpuinfo", "model name")
                                .map(m -> " (" + m + ")")
                                .findFirst()
                                .orElse(""));
        field("/proc/meminfo", "MemTotal")
                .findFirst()
                .map(kb -> Long.parseLong(kb.replaceAll("\\D", "")) / 1_000_000.0)
                .ifPresent(gb -> facts.add(String.format(Locale.ROOT, "%.0f GB", gb)));
        facts.add(
                System.getProperty("os.name")
                        + " "
                        + System.getProperty("os.version").replaceFirst("-.*", ""));
        facts.add("JDK " + System.getProperty("java.runtime.version"));
        version(List.of("node", "--version")).ifPresent(v -> facts.add("Node " + v));
        version(List.of("nginx", "-v"))
                .or(() -> version(List.of("/usr/sbin/nginx", "-v")))
                .ifPresent(v -> facts.add(v.replaceFirst(".*nginx/", "nginx ")));
        return String.join(", ", facts);
    }

    private static Stream<String> field(String file, String name) {
        try {
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip());
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    private static Optional<String> version(List<String> command) {
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            process.waitFor(10, TimeUnit.SECONDS);
            return Optional.of(text.strip());
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
