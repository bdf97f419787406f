package dev.patchbay.conformance.wire;

import java.io.IOException;
import java.nio.file.Path;

/** A library that prints and reads while the gateway serves, and once more at the end. */
final class StdoutPolluter {
    /** What it prints while the gateway serves: it found its input at an end. */
    static final String SERVING_OUTPUT = "POLLUTION -1";

    /** What it prints at the end. */
    static final String SHUTDOWN_OUTPUT = "LAST WORDS -1";

    private static final String SOURCE =
            """
            import java.lang.instrument.ClassFileTransformer;
            import java.lang.instrument.Instrumentation;
            import java.security.ProtectionDomain;

            public class Library {
                public static void premain(String arguments, Instrumentation jvm) {
                    jvm.addTransformer(new ClassFileTransformer() {
                        @Override
                        public byte[] transform(ClassLoader loader, String name, Class<?> old,
                                ProtectionDomain domain, byte[] bytes) {
                            if (name != null && name.startsWith("dev/patchbay/clients/")) {
                                pollute("POLLUTION ");
                            }
                            return null;
                        }
                    });
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> pollute("LAST WORDS ")));
                }

                static void pollute(String text) {
                    try {
                        System.out.println(text + System.in.read());
                    } catch (java.io.IOException e) {
                        System.out.println(e);
                    }
                }
            }
            """;

    private StdoutPolluter() {}

    /** Makes the library in this folder; the option of a JVM that loads it. */
    static String agentOption(Path folder) throws IOException {
        return JavaAgent.build(folder, "Library", SOURCE);
    }
}
