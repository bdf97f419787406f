package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/** Tests of the session's code, run with the JUnit that runs this test. */
class TestToolsTest {
    private static final ReplTestSession REPL = new ReplTestSession();
    private static final ReplService SERVICE =
            ReplService.of(new Implementation("repl", "1"), REPL.session);
    private static final ReplServiceClient CLIENT = new ReplServiceClient(SERVICE);

    @BeforeAll
    static void addJunit() throws Exception {
        REPL.session.addToClasspath(junit());
    }

    /** The jars of JUnit, from the class path or from the one that a jar of Surefire names. */
    private static List<Path> junit() throws Exception {
        var found = new java.util.ArrayList<Path>();
        for (String type :
                List.of(
                        "org.junit.jupiter.api.Test",
                        "org.junit.jupiter.engine.JupiterTestEngine",
                        "org.junit.jupiter.params.ParameterizedTest",
                        "org.junit.platform.launcher.core.LauncherFactory",
                        "org.junit.platform.engine.TestEngine",
                        "org.junit.platform.commons.JUnitException",
                        "org.opentest4j.AssertionFailedError",
                        "org.apiguardian.api.API")) {
            var code = Class.forName(type).getProtectionDomain().getCodeSource();
            Path jar = Path.of(code.getLocation().toURI());
            if (!found.contains(jar)) {
                found.add(jar);
            }
        }
        return found;
    }

    @AfterAll
    static void end() {
        SERVICE.close();
    }

    @Test
    void runsTheTestsOfTheSession() throws Exception {
        REPL.value(
                """
                import org.junit.jupiter.api.*;
                class ArithmeticTest {
                    @Test void adds() {
                        System.out.println("adding");
                        Assertions.assertEquals(4, 2 + 2);
                    }
                    @Test void fails() { Assertions.assertEquals(5, 2 + 2, "sum"); }
                    @Test @org.junit.jupiter.api.Disabled("later") void skipped() { }
                }
                class NoTests { void adds() { } }
                0
                """);
        Json result = CLIENT.call("run_tests", "{\"timeoutMs\":300000}");
        Json structured = result.member("structuredContent");
        assertThat(JsonFields.texts(structured, "classes")).containsExactly("ArithmeticTest");
        assertThat(JsonFields.number(structured, "passed")).isEqualTo(1);
        assertThat(JsonFields.number(structured, "failed")).isEqualTo(1);
        assertThat(JsonFields.number(structured, "skipped")).isEqualTo(1);
        assertThat(structured.memberText("stdout")).isEqualTo("adding\n");
        assertThat(result.member("isError").isTrue()).isTrue();
        assertThat(ReplServiceClient.text(result))
                .contains("adding", "passed  ArithmeticTest.adds", "failed  ArithmeticTest.fails")
                .contains("sum ==> expected: <5> but was: <4>", "at ArithmeticTest.fails")
                .endsWith("1 passed, 1 failed, 1 skipped, 0 aborted");
    }

    @Test
    void endlessTestIsStopped() throws Exception {
        REPL.value(
                """
                class EndlessTest { @org.junit.jupiter.api.Test void loops() { while (true); } }
                0
                """);
        Json result =
                CLIENT.call("run_tests", "{\"classes\":[\"EndlessTest\"],\"timeoutMs\":2000}");
        assertThat(result.member("isError").isTrue()).isTrue();
        assertThat(REPL.value("1 + 1")).isEqualTo("2");
        // Otherwise it would be one of all tests of the session.
        REPL.value("class EndlessTest { }\n0");
    }

    @Test
    void launcherFitsTheJupiterOnTheClassPath() {
        assertThat(TestTools.coordinates(List.of("/a/junit-jupiter-api-5.11.4.jar")))
                .containsExactly(
                        "org.junit.jupiter:junit-jupiter:5.11.4",
                        "org.junit.platform:junit-platform-launcher:1.11.4");
        assertThat(TestTools.coordinates(List.of("/a/junit-jupiter-api-6.1.3.jar")))
                .contains("org.junit.platform:junit-platform-launcher:6.1.3");
        assertThat(TestTools.coordinates(List.of("/a.jar")))
                .contains("org.junit.platform:junit-platform-launcher");
    }
}
