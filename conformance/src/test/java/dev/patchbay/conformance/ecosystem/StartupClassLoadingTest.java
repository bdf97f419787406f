package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A start initializes only the classes that the first responses need. */
class StartupClassLoadingTest {
    /** Classes that cost milliseconds and are not needed at start. */
    private static final List<String> UNNEEDED_CLASSES =
            List.of(
                    "'java/util/logging/",
                    "'java/util/Formatter",
                    "'java/math/BigDecimal",
                    "'java/security/MessageDigest",
                    "'sun/security/provider/",
                    "'java/lang/runtime/SwitchBootstraps",
                    "'java/lang/runtime/ObjectMethods",
                    "'picocli/",
                    "'org/eclipse/jetty/",
                    "'dev/patchbay/http/server/HttpServer",
                    "'dev/patchbay/dashboard/",
                    "'dev/patchbay/history/CallHistory$CallFormat",
                    "'dev/patchbay/repl/",
                    "'dev/patchbay/telemetry/",
                    "'io/opentelemetry/",
                    "'jdk/jshell/");

    @TempDir private Path folder;

    @Test
    void stdioStartInitializesNoUnneededClasses() throws Exception {
        var installation = new TestInstallation(folder);
        installation.withServer(installation.script("small")).save();
        Path first = logInitializedClasses(installation, "first");
        Path second = logInitializedClasses(installation, "second");
        assertThat(unneededClassesIn(first)).isEmpty();
        assertThat(unneededClassesIn(second)).isEmpty();
    }

    /** Starts, initializes and lists; returns the log of the initialized classes. */
    private Path logInitializedClasses(TestInstallation installation, String name)
            throws InterruptedException {
        Path log = folder.resolve(name + ".log");
        installation.env("PATCHBAY_JAVA_OPTS", "-Xlog:class+init=info:file=" + log);
        Path seen;
        try (TestHost host = installation.connect()) {
            host.client().request("tools/list", "{}");
            seen = copy(log);
        }
        return seen;
    }

    private Path copy(Path log) {
        try {
            return Files.copy(log, folder.resolve(log.getFileName() + ".copy"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> unneededClassesIn(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        assertThat(lines).as("the log of the JVM").anyMatch(it -> it.contains("'dev/patchbay/"));
        return lines.stream()
                .filter(line -> UNNEEDED_CLASSES.stream().anyMatch(line::contains))
                .limit(20)
                .toList();
    }
}
