package dev.patchbay.repl;

import dev.patchbay.files.CodeLocation;
import dev.patchbay.json.Json;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a session's JVM is started.
 *
 * @param javaHome the JDK or image whose java runs it, and whose compiler compiles
 * @param classPath the jars or folders with the classes of the kernel
 * @param heapMegabytesMax the most memory that the code of a session may fill
 * @param startTimeout how long the JVM may take until it answers
 */
public record ReplSessionOptions(
        Path javaHome, List<Path> classPath, int heapMegabytesMax, Duration startTimeout) {
    static final int HEAP_MEGABYTES_MIN = 32;

    public ReplSessionOptions {
        classPath = List.copyOf(classPath);
        if (heapMegabytesMax < HEAP_MEGABYTES_MIN) {
            throw new IllegalArgumentException(
                    "heapMegabytesMax must be at least " + HEAP_MEGABYTES_MIN);
        }
        if (!startTimeout.isPositive()) {
            throw new IllegalArgumentException("startTimeout must be positive");
        }
    }

    /** The JVM that runs this program, with the classes that it runs from. */
    public static ReplSessionOptions defaults() {
        List<Path> classPath =
                Stream.of(ReplSessionOptions.class, Json.class)
                        .map(CodeLocation::of)
                        .distinct()
                        .toList();
        Path javaHome = Path.of(System.getProperty("java.home"));
        return new ReplSessionOptions(javaHome, classPath, 1_024, Duration.ofSeconds(30));
    }

    ReplSessionOptions withHeapMegabytesMax(int megabytes) {
        return new ReplSessionOptions(javaHome, classPath, megabytes, startTimeout);
    }
}
