package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.code.TypeNames;

import jdk.jshell.JShell;
import jdk.jshell.spi.ExecutionControl.ExecutionControlException;

import org.jspecify.annotations.Nullable;

import java.lang.annotation.Annotation;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Runs tests with the JUnit that is on the session's class path, on the thread of a snippet, which
 * can be stopped. JUnit is not part of this program, so it is called by reflection.
 */
final class TestRunner {
    private static final String LAUNCHER = "org.junit.platform.launcher.";
    private static final String TEST_ANNOTATIONS = "org.junit.jupiter.";
    private static final int CLASSES_MAX = 500;

    private final Interpreter interpreter;
    private final CodeTargets targets;
    private final TypeLookup types;

    TestRunner(Interpreter interpreter, CodeTargets targets, TypeLookup types) {
        this.interpreter = interpreter;
        this.targets = targets;
        this.types = types;
    }

    /** Runs the tests of classes; without names those that the session has defined. */
    JsonWriter run(Json request) {
        Json names = request.member("classes");
        List<Class<?>> classes = new ArrayList<>();
        for (Json name : names == null ? List.<Json>of() : names.elements()) {
            classes.add(targets.type(name.text()));
        }
        if (classes.isEmpty()) {
            classes.addAll(sessionTests());
        }
        var results = new TestResults();
        if (!classes.isEmpty()) {
            launch(classes.subList(0, Math.min(CLASSES_MAX, classes.size())), results);
        }
        JsonWriter answer = KernelChannel.beginMessage("done").name("result").beginObject();
        CodeQueries.writeStrings(
                "classes",
                classes.stream().map(it -> TypeNames.ofBinaryName(it.getName())).toList(),
                answer);
        results.write(answer);
        return answer.endObject();
    }

    private List<Class<?>> sessionTests() {
        JShell shell = interpreter.shell();
        var found = new ArrayList<Class<?>>();
        shell.types()
                .filter(type -> shell.status(type).isActive())
                .map(type -> types.find(type.name(), new ArrayList<>()))
                .forEach(
                        type -> {
                            if (type != null && hasTests(type)) {
                                found.add(type);
                            }
                        });
        return found;
    }

    private static boolean hasTests(Class<?> type) {
        return Stream.concat(
                        Arrays.stream(type.getDeclaredMethods()),
                        Arrays.stream(type.getDeclaredClasses())
                                .flatMap(it -> Arrays.stream(it.getDeclaredMethods())))
                .flatMap(method -> Arrays.stream(method.getAnnotations()))
                .map(Annotation::annotationType)
                .anyMatch(
                        it ->
                                it.getName().startsWith(TEST_ANNOTATIONS)
                                        && it.getSimpleName().contains("Test"));
    }

    private void launch(List<Class<?>> classes, TestResults results) {
        try {
            interpreter.runner().execute(() -> launchOnThisThread(classes, results));
        } catch (ExecutionControlException e) {
            throw new RefusedException("JUnit failed: " + e.getMessage());
        }
    }

    private @Nullable Object launchOnThisThread(List<Class<?>> classes, TestResults results)
            throws ReflectiveOperationException {
        ClassLoader loader = interpreter.loader();
        Class<?> selector = loader.loadClass("org.junit.platform.engine.DiscoverySelector");
        Class<?> selectors =
                loader.loadClass("org.junit.platform.engine.discovery.DiscoverySelectors");
        Object array = Array.newInstance(selector, classes.size());
        Method select = selectors.getMethod("selectClass", Class.class);
        for (int i = 0; i < classes.size(); i++) {
            Array.set(array, i, select.invoke(null, classes.get(i)));
        }
        Class<?> builderType = loader.loadClass(LAUNCHER + "core.LauncherDiscoveryRequestBuilder");
        Object builder = builderType.getMethod("request").invoke(null);
        builderType.getMethod("selectors", array.getClass()).invoke(builder, array);
        Object request = builderType.getMethod("build").invoke(builder);
        Class<?> listener = loader.loadClass(LAUNCHER + "TestExecutionListener");
        Object listeners = Array.newInstance(listener, 1);
        Array.set(listeners, 0, results.listener(listener));
        Object launcher =
                loader.loadClass(LAUNCHER + "core.LauncherFactory")
                        .getMethod("create")
                        .invoke(null);
        loader.loadClass(LAUNCHER + "Launcher")
                .getMethod(
                        "execute",
                        loader.loadClass(LAUNCHER + "LauncherDiscoveryRequest"),
                        listeners.getClass())
                .invoke(launcher, request, listeners);
        return null;
    }
}
