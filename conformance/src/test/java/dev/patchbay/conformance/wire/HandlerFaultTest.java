package dev.patchbay.conformance.wire;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A fault inside of the program costs the request that met it, and is its one answer. */
class HandlerFaultTest {
    private static final List<String> FAULTS =
            List.of("runtime", "overflow", "memory", "linkage", "assertion", "null");

    /** Lets the program stumble over requests for a page of a list that names a fault. */
    private static final String FAULT_INJECTOR =
            """
            import java.lang.classfile.ClassFile;
            import java.lang.classfile.ClassTransform;
            import java.lang.classfile.CodeBuilder;
            import java.lang.classfile.CodeElement;
            import java.lang.classfile.CodeTransform;
            import java.lang.constant.ClassDesc;
            import java.lang.constant.ConstantDescs;
            import java.lang.constant.MethodTypeDesc;
            import java.lang.instrument.ClassFileTransformer;
            import java.lang.instrument.Instrumentation;
            import java.security.ProtectionDomain;

            public class Strikes {
                public static void premain(String arguments, Instrumentation jvm) {
                    jvm.addTransformer(new ClassFileTransformer() {
                        @Override
                        public byte[] transform(ClassLoader loader, String name, Class<?> old,
                                ProtectionDomain domain, byte[] bytes) {
                            if (!"dev/patchbay/clients/GatewayService".equals(name)) {
                                return null;
                            }
                            ClassFile file = ClassFile.of();
                            return file.transformClass(file.parse(bytes),
                                    ClassTransform.transformingMethodBodies(
                                            it -> it.methodName().equalsString("list"),
                                            new First()));
                        }
                    });
                }

                static class First implements CodeTransform {
                    @Override
                    public void atStart(CodeBuilder code) {
                        code.aload(2)
                                .invokestatic(ClassDesc.of("Strikes"), "strikes",
                                        MethodTypeDesc.of(ConstantDescs.CD_boolean,
                                                ConstantDescs.CD_Object))
                                .ifThen(it -> it.aconst_null().areturn());
                    }

                    @Override
                    public void accept(CodeBuilder code, CodeElement element) {
                        code.with(element);
                    }
                }

                public static boolean strikes(Object params) {
                    String text = String.valueOf(params);
                    int at = text.indexOf("strike-");
                    String fault = at < 0 ? "" : text.substring(at + 7, text.indexOf('"', at));
                    switch (fault) {
                        case "runtime": throw new IllegalStateException("STRUCK");
                        case "overflow": return strikes(params);
                        case "memory": throw new OutOfMemoryError("STRUCK");
                        case "linkage": throw new NoClassDefFoundError("STRUCK");
                        case "assertion": throw new AssertionError("STRUCK");
                        case "interrupt": Thread.currentThread().interrupt(); return false;
                        default: return fault.equals("null");
                    }
                }
            }
            """;

    @TempDir private static Path library;
    private static String agent = "";

    @BeforeAll
    static void compile() throws IOException {
        agent = JavaAgent.build(library, "Strikes", FAULT_INJECTOR);
    }

    /** RR8. */
    @ParameterizedTest
    @MethodSource("dev.patchbay.conformance.wire.WireMatrixCase#gateways")
    void internalFaultGetsOneErrorResponse(WireMatrixCase cell) throws Exception {
        Path folder = CheckedConversation.newFolder();
        try (var talk =
                CheckedConversation.start(
                                cell,
                                folder,
                                CheckedConversation.launchOptions(cell, folder, agent))
                        .initialize()) {
            for (String fault : FAULTS) {
                talk.expectError(page(talk, fault), -32603, "\"" + fault + "\"");
            }
            // It goes on as if nothing were, and there is no such page.
            talk.expectError(page(talk, "interrupt"), -32602, "\"interrupt\"");
            talk.expectResult(talk.request("1", "tools/list", ""), "1");
            talk.finishAndCheck();
        }
    }

    private static String page(CheckedConversation talk, String fault) {
        String cursor = "{\"cursor\":\"strike-%s\"}".formatted(fault);
        return talk.request("\"" + fault + "\"", "tools/list", cursor);
    }
}
