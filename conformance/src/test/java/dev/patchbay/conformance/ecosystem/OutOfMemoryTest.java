package dev.patchbay.conformance.ecosystem;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.conformance.wire.JavaAgent;
import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.ServerScript;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Memory runs out while a message is processed. That message is answered with an error; its
 * connection and all others continue.
 */
class OutOfMemoryTest {
    /**
     * An agent that throws OutOfMemoryError in given methods, for messages that contain the name of
     * the place.
     */
    private static final String AGENT_SOURCE =
            """
            import java.lang.classfile.ClassFile;
            import java.lang.classfile.ClassTransform;
            import java.lang.classfile.CodeBuilder;
            import java.lang.classfile.CodeElement;
            import java.lang.classfile.CodeTransform;
            import java.lang.constant.ClassDesc;
            import java.lang.constant.MethodTypeDesc;
            import java.lang.instrument.ClassFileTransformer;
            import java.lang.instrument.Instrumentation;
            import java.security.ProtectionDomain;
            import java.util.Map;

            public class OutOfMemoryAgent {
                /** A method, the slot of the checked variable, and the word that makes it fail. */
                record Place(String method, int slot, String word) {}

                private static final Map<String, Place> PLACES = Map.of(
                        "jsonrpc/Connection", new Place("dispatch", 1, "oom-dispatch"),
                        "jsonrpc/InboundRequests", new Place("start", 1, "oom-start"),
                        "jsonrpc/InboundRequests$ActiveRequest", new Place("fork", 0, "oom-fork"),
                        "jsonrpc/Encoder", new Place("encode", 0, "oom-encode"),
                        "gateway/ForwardedRequest", new Place("toCallResult", 1, "oom-reply"),
                        "clients/ErrorMapping", new Place("toResult", 0, "oom-result"),
                        "clients/LegacyHandler", new Place("toClientFormat", 0, "oom-format"));

                public static void premain(String arguments, Instrumentation jvm) {
                    jvm.addTransformer(new ClassFileTransformer() {
                        @Override
                        public byte[] transform(ClassLoader loader, String name, Class<?> old,
                                ProtectionDomain domain, byte[] bytes) {
                            boolean ours = name != null && name.startsWith("dev/patchbay/");
                            Place place = ours ? PLACES.get(name.substring(13)) : null;
                            if (place == null) {
                                return null;
                            }
                            ClassFile file = ClassFile.of();
                            var first = new First(ClassDesc.ofInternalName(name), place);
                            return file.transformClass(file.parse(bytes),
                                    ClassTransform.transformingMethodBodies(
                                            it -> it.methodName().equalsString(place.method()),
                                            first));
                        }
                    });
                }

                record First(ClassDesc owner, Place place) implements CodeTransform {
                    @Override
                    public void atStart(CodeBuilder code) {
                        code.aload(place.slot());
                        if (place.word().equals("oom-fork")) {
                            code.getfield(owner, "id",
                                    ClassDesc.ofInternalName("dev/patchbay/jsonrpc/RequestId"));
                        }
                        code.ldc(place.word())
                                .invokestatic(ClassDesc.of("OutOfMemoryAgent"), "fail",
                                        MethodTypeDesc.ofDescriptor(
                                                "(Ljava/lang/Object;Ljava/lang/String;)V"));
                    }

                    @Override
                    public void accept(CodeBuilder code, CodeElement element) {
                        code.with(element);
                    }
                }

                public static void fail(Object message, String word) {
                    String text = String.valueOf(message);
                    if (text.contains(word) && !text.startsWith("Failure")) {
                        System.err.println("OUT OF MEMORY " + word);
                        throw new OutOfMemoryError("by the agent");
                    }
                }
            }
            """;

    @TempDir private Path folder;

    @Test
    void messageIsAnsweredWhereverMemoryRunsOut() throws Exception {
        var installation = new TestInstallation(folder);
        installation.env(
                "PATCHBAY_JAVA_OPTS", JavaAgent.build(folder, "OutOfMemoryAgent", AGENT_SOURCE));
        try (var gateway = new GatewayWithFaultyServer(installation)) {
            TestHost host = gateway.host();
            ServerScript alpha = gateway.connect(gateway.script("alpha").tools("echo"));
            String echo = alpha.name() + ".echo";
            try (HealthyServerMonitor _ = gateway.monitorHealthyServer()) {
                for (String word : List.of("dispatch", "start", "fork", "encode")) {
                    String id = "\"oom-" + word + "\"";
                    host.client().sendLine(ClientMessages.request(id, "tools/list", "{}"));
                    JsonTree answer = host.client().awaitResponse(id);
                    assertThat(answer.at("error", "code").asLong()).as(word).isEqualTo(-32603);
                }
                host.client()
                        .sendLine(ClientMessages.notification("notifications/oom-dispatch", ""));
                for (String word : List.of("reply", "result", "format")) {
                    JsonTree answer = host.client().callTool(echo, "{\"a\":\"oom-" + word + "\"}");
                    boolean failed = answer.has("error") || TestHost.isError(answer.at("result"));
                    assertThat(failed).as("%s", answer).isTrue();
                }
                assertThat(host.callForText(echo, "{\"a\":1}")).isEqualTo("{\"a\":1}");
                assertThat(alpha.recording().startCount()).as("no server was lost").isEqualTo(1);
            }
            gateway.removeFaultyServers();
            for (String word :
                    List.of("dispatch", "start", "fork", "encode", "reply", "result", "format")) {
                String failed = "OUT OF MEMORY oom-" + word;
                assertThat(TestHost.await(TestHost.TIMEOUT, () -> stderr(host).contains(failed)))
                        .as(failed)
                        .isTrue();
            }
        }
    }

    private static String stderr(TestHost host) {
        return host.client().stderr();
    }

    /** With a small heap instead of the agent. */
    @Test
    void callsThatExceedTheHeapAreAnsweredOneByOne() throws Exception {
        var installation = new TestInstallation(folder).env("PATCHBAY_JAVA_OPTS", "-Xmx20m");
        ServerScript alpha = installation.script("alpha").tools("echo");
        installation.withServer(alpha).save();
        try (TestHost host = installation.connect()) {
            host.awaitListed("alpha");
            String arguments = "{\"x\":\"" + "x".repeat(3_900_000) + "\"}";
            var ids = new ArrayList<String>();
            for (int i = 0; i < 8; i++) {
                String params = ClientMessages.callParams("alpha.echo", arguments);
                ids.add(host.client().sendRequest("tools/call", params));
            }
            int failed = 0;
            for (String id : ids) {
                JsonTree answer = host.client().awaitResponse(id);
                failed += answer.has("error") || TestHost.isError(answer.at("result")) ? 1 : 0;
            }
            assertThat(failed).as("it was too much").isPositive();
            host.awaitStatus("alpha", "connected");
            assertThat(host.callForText("alpha.echo", "{\"a\":1}")).isEqualTo("{\"a\":1}");
            new ReportedStateCheck(host, List.of(alpha)).assertReportsAreTrue();
        }
    }
}
