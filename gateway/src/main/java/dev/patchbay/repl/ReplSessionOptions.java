package dev.patchbay.repl;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a session's JVM is started.
 *
 * @param javaHome the JDK or image whose java runs it, and whose compiler compiles
 * @param program the jar or folder with the classes of the kernel
 * @param heapMegabytesMax the most memory that the code of a session may fill
 * @param startTimeout how long the JVM may take until it answers
 */
public record ReplSessionOptions(
        Path javaHome, Path program, int heapMegabytesMax, Duration startTimeout) {
    static final int HEAP_MEGABYTES_MIN = 32;

    public ReplSessionOptions {
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
        var code = ReplSessionOptions.class.getProtectionDomain().getCodeSource();
        Path program = Path.of(java.net.URI.create(code.getLocation().toString()));
        Path javaHome = Path.of(System.getProperty("java.home"));
        return new ReplSessionOptions(javaHome, program, 1_024, Duration.ofSeconds(30));
    }

    ReplSessionOptions withHeapMegabytesMax(int megabytes) {
        return new ReplSessionOptions(javaHome, program, megabytes, startTimeout);
    }
}
