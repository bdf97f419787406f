package dev.patchbay;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/** The measures of docs/STYLE.md, over the sources of all modules. */
class CodeStyleTest {
    private static final int FILE_LINES_MAX = 400;
    private static final int METHOD_LINES_MAX = 40;
    private static final int PARAMETERS_MAX = 5;
    private static final int LINE_CHARS_MAX = 100;

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final List<String> MODULES =
            List.of("testkit", "gateway", "repl", "conformance", "bench");

    private static final Pattern VAGUE_NAME =
            Pattern.compile(".*(Impl|Manager|Utils?|Helpers?)([A-Z].*)?|.*Base");
    private static final Pattern ACCESSOR = Pattern.compile("get[A-Z].*");

    // In two halves, so that this file does not hold the words it forbids.
    private static final Pattern UNFINISHED =
            Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    private static final Pattern SIDE_WORDS = Pattern.compile("(?i)(up|down)" + "stream");
    private static final Pattern FORBIDDEN_IN_TESTS =
            Pattern.compile("@Dis" + "abled\\b|Thread\\.sl" + "eep\\(");

    private static List<Source> sources = List.of();

    /** One Java file, read and parsed. */
    private record Source(Path file, List<String> lines, CompilationUnitTree tree, Trees trees) {
        boolean isMain() {
            return file.toString().contains("src/main/java");
        }

        String at(int line) {
            return file + ":" + line;
        }

        int line(long position) {
            return (int) tree.getLineMap().getLineNumber(position);
        }

        int firstLine(Tree node) {
            return line(trees.getSourcePositions().getStartPosition(tree, node));
        }

        int lastLine(Tree node) {
            return line(trees.getSourcePositions().getEndPosition(tree, node));
        }
    }

    @BeforeAll
    static void parseEverySource() throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, Locale.ROOT, null)) {
            var units = files.getJavaFileObjectsFromPaths(javaFiles());
            var task = (JavacTask) compiler.getTask(null, files, null, null, null, units);
            var trees = Trees.instance(task);
            var parsed = new ArrayList<Source>();
            for (var tree : task.parse()) {
                var file = Path.of(tree.getSourceFile().toUri());
                parsed.add(
                        new Source(ROOT.relativize(file), Files.readAllLines(file), tree, trees));
            }
            sources = List.copyOf(parsed);
        }
    }

    private static List<Path> javaFiles() throws IOException {
        var found = new ArrayList<Path>();
        for (var module : MODULES) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module, "src"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(found::add);
            }
        }
        return found;
    }

    @Test
    void findsTheSourcesOfAllModules() {
        assertThat(sources.stream().map(source -> source.file().getName(0).toString()).distinct())
                .containsExactlyInAnyOrderElementsOf(MODULES);
    }

    @Test
    void filesAreShort() {
        var faults =
                sources.stream()
                        .filter(source -> source.lines().size() > FILE_LINES_MAX)
                        .map(source -> source.file() + " has " + source.lines().size() + " lines");
        assertThat(faults).isEmpty();
    }

    @Test
    void linesAreNarrow() {
        Predicate<String> wide =
                line -> line.length() > LINE_CHARS_MAX && !line.startsWith("import ");
        assertThat(linesThat(wide, source -> true)).isEmpty();
    }

    @Test
    void noUnfinishedMarkers() {
        assertThat(linesThat(UNFINISHED.asPredicate(), source -> true)).isEmpty();
    }

    /** Every word has one meaning: a client connects to the gateway, a server is registered. */
    @Test
    void noWordsForOneSide() {
        assertThat(linesThat(SIDE_WORDS.asPredicate(), Source::isMain)).isEmpty();
    }

    @Test
    void testsDoNotSleepAndAreNotDisabled() {
        assertThat(linesThat(FORBIDDEN_IN_TESTS.asPredicate(), source -> !source.isMain()))
                .isEmpty();
    }

    @Test
    void methodsAreShort() {
        var faults = new ArrayList<String>();
        forEachMethod(
                (source, method) -> {
                    var first = source.firstLine(method);
                    var lines = source.lastLine(method) - first + 1;
                    if (lines > METHOD_LINES_MAX) {
                        faults.add(source.at(first) + " " + method.getName() + " " + lines);
                    }
                });
        assertThat(faults).isEmpty();
    }

    @Test
    void methodsTakeFewParameters() {
        var faults = new ArrayList<String>();
        forEachMethod(
                (source, method) -> {
                    if (method.getParameters().size() > PARAMETERS_MAX) {
                        faults.add(source.at(source.firstLine(method)) + " " + method.getName());
                    }
                });
        assertThat(faults).isEmpty();
    }

    @Test
    void accessorsHaveNoGetPrefix() {
        var faults = new ArrayList<String>();
        forEachMethod(
                (source, method) -> {
                    var name = method.getName().toString();
                    if (source.isMain() && ACCESSOR.matcher(name).matches() && !overrides(method)) {
                        faults.add(source.at(source.firstLine(method)) + " " + name);
                    }
                });
        assertThat(faults).isEmpty();
    }

    @Test
    void typeNamesAreSpecific() {
        var faults = new ArrayList<String>();
        forEachType(
                (source, path) -> {
                    var type = (ClassTree) path.getLeaf();
                    if (VAGUE_NAME.matcher(type.getSimpleName()).matches()) {
                        faults.add(source.at(source.firstLine(type)) + " " + type.getSimpleName());
                    }
                });
        assertThat(faults).isEmpty();
    }

    @Test
    void mainTypesHaveJavadoc() {
        var faults = new ArrayList<String>();
        forEachType(
                (source, path) -> {
                    var isTop = path.getParentPath().getLeaf() instanceof CompilationUnitTree;
                    if (isTop && source.isMain() && source.trees().getDocComment(path) == null) {
                        faults.add(source.at(source.firstLine(path.getLeaf())));
                    }
                });
        assertThat(faults).isEmpty();
    }

    /** One name stands for one thing, also across packages and modules. */
    @Test
    void topLevelTypeNamesAreUnique() {
        var files = new HashMap<String, Path>();
        var faults = new ArrayList<String>();
        for (var source : sources) {
            var name = source.file().getFileName().toString();
            var other = files.putIfAbsent(name, source.file());
            if (other != null && !name.equals("package-info.java")) {
                faults.add(source.file() + " has the name of " + other);
            }
        }
        assertThat(faults).isEmpty();
    }

    private static boolean overrides(MethodTree method) {
        return method.getModifiers().getAnnotations().stream()
                .anyMatch(
                        annotation -> annotation.getAnnotationType().toString().equals("Override"));
    }

    private static List<String> linesThat(Predicate<String> matches, Predicate<Source> in) {
        var found = new ArrayList<String>();
        for (var source : sources) {
            for (int i = 0; in.test(source) && i < source.lines().size(); i++) {
                if (matches.test(source.lines().get(i))) {
                    found.add(source.at(i + 1) + " " + source.lines().get(i).strip());
                }
            }
        }
        return found;
    }

    private static void forEachMethod(BiConsumer<Source, MethodTree> action) {
        for (var source : sources) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitMethod(MethodTree method, Void nothing) {
                    action.accept(source, method);
                    return super.visitMethod(method, null);
                }
            }.scan(source.tree(), null);
        }
    }

    private static void forEachType(BiConsumer<Source, TreePath> action) {
        for (var source : sources) {
            new TreePathScanner<Void, Void>() {
                @Override
                public Void visitClass(ClassTree type, Void nothing) {
                    action.accept(source, getCurrentPath());
                    return super.visitClass(type, null);
                }
            }.scan(source.tree(), null);
        }
    }
}
