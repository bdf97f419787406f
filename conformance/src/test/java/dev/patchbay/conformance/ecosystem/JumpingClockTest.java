package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.JavaAgent;
import dev.patchbay.testkit.ServerScript;
import dev.patchbay.testkit.Stopwatch;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;

/** Timeouts and delays hold while the system clock jumps. */
class JumpingClockTest {
    /**
     * An agent that makes the clock of the gateway alternate between an hour early and an hour
     * late.
     */
    private static final String AGENT_SOURCE =
            """
            import java.lang.classfile.ClassFile;
            import java.lang.classfile.ClassTransform;
            import java.lang.classfile.CodeBuilder;
            import java.lang.classfile.CodeElement;
            import java.lang.classfile.instruction.InvokeInstruction;
            import java.lang.constant.ClassDesc;
            import java.lang.instrument.ClassFileTransformer;
            import java.lang.instrument.Instrumentation;
            import java.security.ProtectionDomain;
            import java.time.Duration;
            import java.time.Instant;
            import java.time.InstantSource;
            import java.util.Set;
            import java.util.concurrent.atomic.AtomicInteger;

            public class Jumps {
                private static final Set<String> LOOKS =
                        Set.of(
                                "java/lang/System.currentTimeMillis()J",
                                "java/time/Instant.now()Ljava/time/Instant;",
                                "java/time/InstantSource.system()Ljava/time/InstantSource;");
                private static final AtomicInteger looks = new AtomicInteger();

                public static void premain(String arguments, Instrumentation jvm) {
                    jvm.addTransformer(new ClassFileTransformer() {
                        @Override
                        public byte[] transform(ClassLoader loader, String name, Class<?> old,
                                ProtectionDomain domain, byte[] bytes) {
                            if (name == null || !name.startsWith("dev/patchbay/")) {
                                return null;
                            }
                            ClassFile file = ClassFile.of();
                            return file.transformClass(file.parse(bytes),
                                    ClassTransform.transformingMethodBodies(Jumps::bend));
                        }
                    });
                }

                private static void bend(CodeBuilder code, CodeElement element) {
                    if (element instanceof InvokeInstruction call
                            && LOOKS.contains(call.owner().asInternalName() + "."
                                    + call.name().stringValue() + call.type().stringValue())) {
                        code.invokestatic(ClassDesc.of("Jumps"), call.name().stringValue(),
                                call.typeSymbol());
                    } else {
                        code.with(element);
                    }
                }

                public static InstantSource system() {
                    return Jumps::now;
                }

                public static Instant now() {
                    if (looks.getAndIncrement() == 3) {
                        System.err.println("THE CLOCK JUMPS");
                    }
                    Duration hour = Duration.ofHours(looks.get() % 2 == 0 ? 1 : -1);
                    return Instant.now().plus(hour);
                }

                public static long currentTimeMillis() {
                    return now().toEpochMilli();
                }
            }
            """;

    @TempDir private Path folder;

    @Test
    void timeoutsHoldWhileTheClockJumps() throws Exception {
        var installation = new TestInstallation(folder);
        installation.env("PATCHBAY_JAVA_OPTS", JavaAgent.build(folder, "Jumps", AGENT_SOURCE));
        try (var gateway = new GatewayWithFaultyServer(installation)) {
            TestHost host = gateway.host();
            ServerScript alpha = gateway.script("alpha").tools("hang", "crash");
            gateway.connect(alpha, "\"requestTimeoutMs\": 2000");
            ServerScript hung =
                    gateway.script("hung").at("server/discover=hang", "initialize=hang");
            try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
                var asked = Stopwatch.start();
                assertThat(host.failureDetails(alpha.name() + ".hang", "{}").write())
                        .contains("2000 ms");
                assertThat(asked.activeTime()).isLessThan(Duration.ofSeconds(4));
                assertThat(asked.elapsed()).isGreaterThan(Duration.ofMillis(1_900));
                host.failureDetails(alpha.name() + ".crash", "{}");
                boolean back =
                        TestHost.await(TestHost.TIMEOUT, () -> alpha.recording().startCount() == 2);
                assertThat(back).as("started again").isTrue();
                host.awaitStatus(alpha.name(), "connected");
                var joined = Stopwatch.start();
                installation
                        .withServer(hung, "\"connectionTimeoutMs\": 3000, \"maxRetries\": 1")
                        .save();
                assertThat(hung.recording().await(it -> it.startCount() == 2, TestHost.TIMEOUT))
                        .isTrue();
                host.awaitError(hung.name(), "2 attempts");
                assertThat(joined.activeTime()).isLessThan(Duration.ofSeconds(12));
                assertThat(joined.elapsed()).isGreaterThan(Duration.ofSeconds(6));
            }
            gateway.removeFaultyServers();
            boolean jumps =
                    TestHost.await(
                            TestHost.TIMEOUT,
                            () -> host.client().stderr().contains("THE CLOCK JUMPS"));
            assertThat(jumps).isTrue();
        }
    }
}
