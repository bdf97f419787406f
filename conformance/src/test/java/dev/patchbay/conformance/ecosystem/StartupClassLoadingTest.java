package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A start does what the first answers need, and nothing else. */
class StartupClassLoadingTest {
    /** What costs a start milliseconds, and is of no use to it. */
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
                    "'dev/patchbay/repl/",
                    "'jdk/jshell/");

    @TempDir private Path folder;

    @Test
    void stdioStartInitializesNoUnneededClasses() throws Exception {
        var bench = new TestInstallation(folder);
        bench.withServer(bench.script("small")).save();
        Path first = logInitializedClasses(bench, "first");
        Path second = logInitializedClasses(bench, "second");
        assertThat(unneededClassesIn(first)).isEmpty();
        assertThat(unneededClassesIn(second)).isEmpty();
    }

    /** Starts, greets and lists; the classes that were put to use by then. */
    private Path logInitializedClasses(TestInstallation bench, String name)
            throws InterruptedException {
        Path log = folder.resolve(name + ".log");
        bench.env("PATCHBAY_JAVA_OPTS", "-Xlog:class+init=info:file=" + log);
        Path seen;
        try (TestHost host = bench.connect()) {
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
