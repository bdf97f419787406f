package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;

/** The tools that search compiled code, over a session with code of its own. */
class CodeToolsTest {
    private static final ReplTestSession REPL = new ReplTestSession();
    private static final ReplService SERVICE =
            ReplService.of(new Implementation("repl", "1"), REPL.session);
    private static final ReplServiceClient CLIENT = new ReplServiceClient(SERVICE);

    @BeforeAll
    static void define() throws Exception {
        REPL.value(
                """
                interface Shape { double area(); }
                record Circle(double radius) implements Shape {
                    public double area() { return Math.PI * radius * radius; }
                }
                abstract class Solid implements Shape {}
                class Cube extends Solid { public double area() { return 6; } }
                int calls = 0;
                double total(List<Shape> shapes) {
                    calls++;
                    return shapes.stream().mapToDouble(Shape::area).sum();
                }
                Circle unit() { return new Circle(1); }
                double twice() { return total(List.of(unit())) + total(List.of(unit())); }
                twice()
                """);
    }

    @AfterAll
    static void end() {
        SERVICE.close();
    }

    private static Json call(String tool, String arguments) throws Exception {
        Json result = CLIENT.call(tool, arguments);
        assertThat(result.member("isError").isTrue()).as(result.toString()).isFalse();
        return result;
    }

    private static Json structured(String tool, String arguments) throws Exception {
        return call(tool, arguments).member("structuredContent");
    }

    private static List<String> uses(String arguments) throws Exception {
        return JsonFields.elements(structured("find_uses", arguments), "uses").stream()
                .map(
                        it ->
                                JsonFields.text(it, "in")
                                        + " "
                                        + JsonFields.text(it, "how")
                                        + " "
                                        + JsonFields.number(it, "count"))
                .toList();
    }

    @Test
    void findsCallersInTheSession() throws Exception {
        assertThat(uses("{\"name\":\"total\"}")).containsExactly("twice() call 2");
        assertThat(uses("{\"name\":\"Shape.area\"}"))
                .containsExactly("total(java.util.List) reference 1");
        assertThat(uses("{\"name\":\"Circle.new\"}")).containsExactly("unit() call 1");
        assertThat(uses("{\"name\":\"twice\"}")).hasSize(1).first().asString().contains("snippet");
    }

    @Test
    void findsUsesOfFieldsAndClasses() throws Exception {
        assertThat(uses("{\"name\":\"calls\"}"))
                .contains("total(java.util.List) read 1", "total(java.util.List) write 1");
        assertThat(uses("{\"name\":\"Shape\"}"))
                .contains("Circle implements 1", "Solid implements 1");
        assertThat(uses("{\"name\":\"Math.PI\"}")).isEmpty();
    }

    @Test
    void obsoleteDefinitionsAreNoCallers() throws Exception {
        REPL.value("int target() { return 1; }\nint caller() { return target(); }\ncaller()");
        assertThat(uses("{\"name\":\"target\"}")).containsExactly("caller() call 1");
        REPL.value("int caller() { return 2; }\n0");
        assertThat(uses("{\"name\":\"target\"}")).isEmpty();
    }

    @Test
    void findsCallersInTheJdk() throws Exception {
        Json found =
                structured(
                        "find_uses",
                        "{\"name\":\"String.repeat(int)\",\"scope\":\"all\",\"limit\":2}");
        assertThat(JsonFields.number(found, "total")).isGreaterThan(20);
        assertThat(JsonFields.elements(found, "uses")).hasSize(2);
        assertThat(JsonFields.number(found, "omitted"))
                .isEqualTo(JsonFields.number(found, "places") - 2);
        assertThat(JsonFields.isTrue(found, "complete")).isTrue();
    }

    @Test
    void findsMethodsByType() throws Exception {
        assertThat(structured("find_methods", "{\"returns\":\"Circle\"}").toString())
                .contains("Circle unit()", "new(double)");
        Json jdk =
                structured(
                        "find_methods",
                        "{\"takes\":\"String\",\"returns\":\"java.nio.file.Path\","
                                + "\"scope\":\"all\"}");
        assertThat(jdk.toString()).contains("resolve(String)");
        assertThat(JsonFields.number(jdk, "hidden")).isPositive();
        Json none = CLIENT.call("find_methods", "{}");
        assertThat(ReplServiceClient.text(none))
                .isEqualTo("[ERROR] Give a type in takes, in returns, or in both");
    }

    @Test
    void findsSubtypes() throws Exception {
        String all = ReplServiceClient.text(call("find_subtypes", "{\"name\":\"Shape\"}"));
        assertThat(all)
                .startsWith("Shape has 3 subtypes")
                .contains("record Circle  (session)", "abstract class Solid", "Cube (indirect)");
        Json concrete = structured("find_subtypes", "{\"name\":\"Shape\",\"concrete\":true}");
        assertThat(JsonFields.number(concrete, "count")).isEqualTo(2);
        Json jdk =
                structured(
                        "find_subtypes",
                        "{\"name\":\"java.util.List\",\"scope\":\"all\",\"limit\":1000}");
        assertThat(jdk.toString()).contains("java.util.ArrayList", "java.util.Stack");
        assertThat(JsonFields.number(jdk, "hidden")).isPositive();
    }

    @Test
    void showsBytecodeWithoutTheChecksOfTheSession() throws Exception {
        String text = ReplServiceClient.text(call("bytecode", "{\"name\":\"twice\"}"));
        assertThat(text)
                .contains("double twice()", "invokestatic", "dreturn")
                .doesNotContain("StopSignal");
        assertThat(ReplServiceClient.text(call("bytecode", "{\"name\":\"String.isEmpty\"}")))
                .contains("boolean isEmpty()", "arraylength", "ifne L1", "ireturn");
    }

    @Test
    void showsTheShapeOfAClass() throws Exception {
        assertThat(ReplServiceClient.text(call("bytecode", "{\"name\":\"Circle\"}")))
                .contains("record Circle(double radius) implements Shape", "double area()");
        assertThat(
                        ReplServiceClient.text(
                                call("bytecode", "{\"name\":\"java.lang.constant.ConstantDesc\"}")))
                .contains("interface", "permits");
    }

    @Test
    void unknownNamesAreReported() throws Exception {
        for (String tool : List.of("find_uses", "find_subtypes", "bytecode")) {
            Json result = CLIENT.call(tool, "{\"name\":\"NoSuchThing\"}");
            assertThat(ReplServiceClient.text(result))
                    .isEqualTo("[ERROR] There is no class, member or definition NoSuchThing");
        }
        Json member = CLIENT.call("find_uses", "{\"name\":\"String.noSuch\"}");
        assertThat(ReplServiceClient.text(member))
                .isEqualTo("[ERROR] java.lang.String has no member noSuch");
    }
}
