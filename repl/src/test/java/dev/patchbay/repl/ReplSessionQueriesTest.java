package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import javax.tools.ToolProvider;

/** What a session tells about code, classes and itself. All tests share one JVM. */
class ReplSessionQueriesTest {
    private static final ReplTestSession REPL = new ReplTestSession();

    @TempDir Path folder;

    @AfterAll
    static void end() {
        REPL.close();
    }

    @Test
    void checksWithoutRunningOrDefining() throws Exception {
        REPL.run("int known = 1;\nint twiceOf(int n) { return 2 * n; }");
        var check = REPL.session.check("int fresh = twiceOf(known);\nSystem.exit(fresh);");
        assertThat(check.isValid()).isTrue();
        assertThat(check.isComplete()).isTrue();
        assertThat(check.kinds()).containsExactly("variable", "statement");
        assertThat(REPL.session.check("fresh").isValid()).isFalse();
        assertThat(REPL.value("known")).isEqualTo("1");
    }

    @Test
    void checkSeesRedefinitions() throws Exception {
        REPL.run("int turncoat = 1;");
        assertThat(REPL.session.check("turncoat.length()").isValid()).isFalse();
        REPL.run("String turncoat = \"text\";");
        assertThat(REPL.session.check("turncoat.length()").isValid()).isTrue();
    }

    @Test
    void checkDistinguishesIncompleteFromInvalid() throws Exception {
        var incomplete = REPL.session.check("int f(int n) {\n  return n +");
        assertThat(incomplete.isComplete()).isFalse();
        assertThat(incomplete.isValid()).isFalse();
        var wrong = REPL.session.check("int a = 1;\nint b = a +* 2;");
        assertThat(wrong.isComplete()).isTrue();
        assertThat(wrong.diagnostics().getFirst().line()).isEqualTo(2);
        assertThat(REPL.session.check("int calls() { return absent(); }").missing())
                .singleElement()
                .asString()
                .contains("absent()");
    }

    @Test
    void listsDefinitionsWithValuesAndSource() throws Exception {
        REPL.session.reset();
        REPL.run("import java.util.zip.*;");
        REPL.run("int answer = 42;\nrecord Pair(int a, int b) {}\nint plus(int n) { return n; }");
        REPL.run("class Loud { public String toString() { throw new IllegalStateException(); } }");
        REPL.run("Loud loud = null;\nloud = new Loud();");
        var listing = REPL.session.definitions();
        assertThat(listing.definitions())
                .extracting(Definition::signature)
                .contains(
                        "import java.util.zip.*",
                        "int answer",
                        "record Pair",
                        "int plus(int)",
                        "class Loud",
                        "Loud loud");
        var answer = named(listing, "answer");
        assertThat(listing.values()).containsEntry(answer.id(), "42");
        assertThat(named(listing, "plus").source()).isEqualTo("int plus(int n) { return n; }");
    }

    private static Definition named(ReplSession.DefinitionList listing, String name) {
        return listing.definitions().stream()
                .filter(definition -> definition.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void describesJdkClass() throws Exception {
        Json found = REPL.session.describe("Map.Entry");
        assertThat(found.toString()).contains("interface java.util.Map.Entry<K, V>", "getKey()");
        Json list = REPL.session.describe("java.util.List");
        assertThat(list.toString()).contains("module java.base", "static <E> List<E> of(");
    }

    @Test
    void describesAllOverloadsOfMethod() throws Exception {
        Json found = REPL.session.describe("String#indexOf");
        assertThat(JsonFields.elements(found, "found")).hasSizeGreaterThanOrEqualTo(6);
        Json inherited = REPL.session.describe("ArrayList.stream");
        assertThat(inherited.toString()).contains("java.util.Collection");
    }

    @Test
    void readsDocumentationAndParameterNamesFromJdkSource() throws Exception {
        boolean hasSource =
                Files.exists(Path.of(System.getProperty("java.home"), "lib", "src.zip"));
        String found = REPL.session.describe("String.repeat").toString();
        if (hasSource) {
            assertThat(found).contains("public String repeat(int count)", "concatenation");
        } else {
            assertThat(found).contains("public String repeat(int)");
        }
    }

    @Test
    void describesSessionDefinitions() throws Exception {
        REPL.run("record Reading(String place, double value) { double doubled() { return 2; } }");
        REPL.run("double mean(List<Reading> all) { return 0; }");
        assertThat(REPL.session.describe("Reading").toString())
                .contains("record Reading(String place, double value)", "double doubled()");
        assertThat(REPL.session.describe("mean").toString())
                .contains("double mean(List<Reading>)", "return 0;");
        assertThat(REPL.session.describe("Reading.doubled").toString()).contains("doubled()");
    }

    @Test
    void listsCandidatesForAmbiguousName() throws Exception {
        Json found = REPL.session.describe("Attribute");
        assertThat(JsonFields.texts(found, "candidates"))
                .contains("javax.naming.directory.Attribute")
                .hasSizeGreaterThan(1);
        Json none = REPL.session.describe("NoSuchThingAnywhere");
        assertThat(JsonFields.elements(none, "found")).isEmpty();
        assertThat(JsonFields.elements(none, "candidates")).isEmpty();
    }

    @Test
    void findsClassesByName() throws Exception {
        assertThat(names(REPL.session.search("arraylist", 3)))
                .startsWith("java.util.ArrayList")
                .hasSizeLessThanOrEqualTo(3);
        assertThat(names(REPL.session.search("java.util.*Deque", 10)))
                .contains("java.util.ArrayDeque", "java.util.Deque");
        assertThat(names(REPL.session.search("no such class", 10))).isEmpty();
    }

    private static List<String> names(Json answer) {
        return JsonFields.elements(answer, "classes").stream()
                .map(one -> JsonFields.text(one, "name"))
                .toList();
    }

    @Test
    void completesCode() throws Exception {
        REPL.run("String greeting = \"hello\";");
        Json members = REPL.session.complete("greeting.subs", 13);
        assertThat(members.toString()).contains("substring(");
        assertThat(JsonFields.number(members, "from")).isEqualTo(9);
        Json inside = REPL.session.complete("greeting.substring( + 1", 19);
        assertThat(JsonFields.texts(inside, "signatures")).hasSize(2);
    }

    @Test
    void addsJarWithSources() throws Exception {
        Path jar = folder.resolve("sample-1.0.jar");
        String source =
                """
                package sample;
                /** A greeter of people. */
                public class Greeter {
                    /** Greets {@code somebody}. */
                    public String greet(String somebody) { return "hello " + somebody; }
                }
                """;
        zip(jar, compiled("sample/Greeter", source));
        zip(
                folder.resolve("sample-1.0-sources.jar"),
                Map.of("sample/Greeter.java", source.getBytes(StandardCharsets.UTF_8)));
        REPL.run("int before = 5;");
        REPL.session.addToClasspath(List.of(jar));
        assertThat(REPL.value("new sample.Greeter().greet(\"you\")")).isEqualTo("\"hello you\"");
        assertThat(REPL.value("before")).isEqualTo("5");
        assertThat(names(REPL.session.search("greeter", 5))).contains("sample.Greeter");
        assertThat(REPL.session.describe("sample.Greeter.greet").toString())
                .contains("String greet(String somebody)", "Greets somebody.");
        assertThat(REPL.session.check("sample.Greeter g = null;").isValid()).isTrue();
        REPL.run("import sample.*;\nGreeter held = new Greeter();\nSystem.exit(1);");
        var next = REPL.run("new Greeter().greet(\"again\")");
        assertThat(next.value()).contains("\"hello again\"");
        assertThat(next.notice()).contains("import sample.*", "Greeter held");
    }

    private Map<String, byte[]> compiled(String name, String source) throws IOException {
        Path file = folder.resolve("src").resolve(name + ".java");
        Path classes = folder.resolve("classes");
        Files.createDirectories(file.getParent());
        Files.createDirectories(classes);
        Files.writeString(file, source);
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", classes.toString(), file.toString());
        assertThat(status).isZero();
        return Map.of(name + ".class", Files.readAllBytes(classes.resolve(name + ".class")));
    }

    private static void zip(Path file, Map<String, byte[]> entries) throws IOException {
        try (OutputStream out = Files.newOutputStream(file);
                var zip = new ZipOutputStream(out)) {
            for (var entry : entries.entrySet()) {
                zip.putNextEntry(new ZipEntry(entry.getKey()));
                zip.write(entry.getValue());
            }
        }
    }

    @Test
    void rejectsUnreadableClasspathEntries() throws Exception {
        Path text = Files.writeString(folder.resolve("no.jar"), "this is no jar");
        assertThatThrownBy(() -> REPL.session.addToClasspath(List.of(folder.resolve("absent"))))
                .isInstanceOf(ReplException.class)
                .hasMessageContaining("absent");
        assertThatThrownBy(() -> REPL.session.addToClasspath(List.of(text)))
                .isInstanceOf(ReplException.class);
        assertThat(REPL.session.classpath()).doesNotContain(text.toString());
        assertThat(REPL.value("1 + 1")).isEqualTo("2");
    }

    @Test
    void readsJavaFilesAndScripts() throws Exception {
        Path program =
                Files.writeString(
                        folder.resolve("Program.java"),
                        """
                        package some.where;
                        import java.util.zip.CRC32;
                        public class Program {
                            static int calls;
                            public static void main(String[] args) {
                                calls += args.length;
                                System.out.println(String.join("+", args) + new CRC32().getValue());
                            }
                        }
                        """);
        PreparedSource source = SourceFileReader.read(program, REPL.session);
        assertThat(source.mainCall()).isEqualTo("Program.main(args)");
        assertThat(REPL.run(source.code() + "\nProgram.main(new String[] {\"a\", \"b\"});").out())
                .isEqualTo("a+b0\n");
        assertThat(REPL.value("Program.calls")).isEqualTo("2");
        Path compact =
                Files.writeString(
                        folder.resolve("compact.java"),
                        "int n = 3;\nvoid main() { IO.println(n + Duration.ZERO.toString()); }\n");
        PreparedSource small = SourceFileReader.read(compact, REPL.session);
        assertThat(small.mainCall()).isEqualTo("main()");
        assertThat(REPL.run(small.code() + "\n" + small.mainCall() + ";").out())
                .isEqualTo("3PT0S\n");
        Path script =
                Files.writeString(
                        folder.resolve("script.jsh"), "/set feedback silent\nint s = 1;\n/exit\nx");
        PreparedSource snippets = SourceFileReader.read(script, REPL.session);
        assertThat(snippets.code()).isEqualTo("\nint s = 1;\n");
        assertThat(snippets.ignoredLines()).containsExactly("/set feedback silent");
    }
}
