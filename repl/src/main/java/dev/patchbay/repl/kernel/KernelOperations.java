package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;

import jdk.jshell.JShell;
import jdk.jshell.PersistentSnippet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What the server may ask of a session, by name. Each request has one answer. */
final class KernelOperations {
    /** A character takes at most this many bytes where the user's code prints it. */
    private static final long CHARACTER_BYTES_MAX = 4;

    private final KernelChannel channel;
    private final Interpreter interpreter;
    private final CodeChecker codeChecker;
    private final ClassIndex classIndex = new ClassIndex();
    private final SymbolDescriber describer;
    private final CodeQueries code;
    private final RuntimeQueries runtime;
    private final TestRunner tests;

    KernelOperations(KernelChannel wire) {
        this.channel = wire;
        this.interpreter = new Interpreter(wire);
        this.codeChecker = new CodeChecker(interpreter.shell());
        var types = new TypeLookup(interpreter, classIndex);
        this.describer = new SymbolDescriber(interpreter, types);
        var targets = new CodeTargets(interpreter, types);
        this.code = new CodeQueries(targets);
        this.runtime = new RuntimeQueries(targets);
        this.tests = new TestRunner(interpreter, targets, types);
    }

    /** Does what a request asks for. A fault is an answer too, if the shell outlives it. */
    Json perform(Json request) {
        StopSignal.clear();
        channel.allowOutput(CHARACTER_BYTES_MAX * number(request, "outputChars"));
        JsonWriter answer;
        try {
            answer = answer(text(request, "do"), request);
        } catch (RefusedException e) {
            answer =
                    KernelChannel.beginMessage("fault")
                            .member("refused", true)
                            .member("text", String.valueOf(e.getMessage()));
        } catch (RuntimeException | StackOverflowError | AssertionError e) {
            if (!interpreter.isUsable()) {
                throw new IllegalStateException("The compiler broke: " + e, e);
            }
            answer = KernelChannel.beginMessage("fault").member("text", e.toString());
        }
        channel.writeMarks(number(request, "n"));
        answer.member("n", number(request, "n")).member("droppedBytes", channel.droppedBytes());
        return answer.endObject().toJson();
    }

    private JsonWriter answer(String operation, Json request) {
        return switch (operation) {
            case "evaluate" -> evaluate(request);
            case "check" -> codeChecker.check(text(request, "code"));
            case "definitions" -> definitions();
            case "values" -> values(texts(request, "ids"));
            case "describe" -> describer.describe(text(request, "name"));
            case "search" ->
                    classIndex.search(text(request, "pattern"), (int) number(request, "countMax"));
            case "complete" ->
                    CodeCompletion.complete(
                            interpreter.analysis(),
                            text(request, "code"),
                            (int) number(request, "position"));
            case "classpath" -> addToClasspath(texts(request, "paths"));
            case "restore" -> restore(request);
            case "uses" -> code.uses(request);
            case "methods" -> code.methods(request);
            case "subtypes" -> code.subtypes(request);
            case "bytecode" -> code.bytecode(request);
            case "tests" -> tests.run(request);
            case "timing" -> runtime.timing(request);
            case "memory" -> RuntimeQueries.memory(request);
            case "threads" -> RuntimeQueries.threads(request);
            case "file" -> SourceFilePreparer.prepare(text(request, "source"));
            default -> throw new IllegalArgumentException("No operation " + operation);
        };
    }

    private JsonWriter evaluate(Json request) {
        String by = text(request, "profile");
        Supplier<JsonWriter> evaluation =
                () ->
                        interpreter.evaluate(
                                text(request, "code"),
                                (int) number(request, "valueChars"),
                                (int) number(request, "runs"));
        return by.isEmpty() ? evaluation.get() : RuntimeQueries.profile(by, evaluation);
    }

    private JsonWriter definitions() {
        JsonWriter answer = KernelChannel.beginMessage("done").name("definitions").beginArray();
        JShell shell = interpreter.shell();
        shell.snippets()
                .filter(snippet -> shell.status(snippet).isActive())
                .filter(snippet -> snippet instanceof PersistentSnippet)
                .filter(snippet -> !interpreter.isStartupSnippet(snippet))
                .forEach(
                        snippet ->
                                DefinitionWriter.write(shell, (PersistentSnippet) snippet, answer));
        return answer.endArray();
    }

    /** The values of variables, each by the user's own code. */
    private JsonWriter values(List<String> ids) {
        JsonWriter answer = KernelChannel.beginMessage("done").name("values").beginObject();
        for (String id : ids) {
            interpreter.value(id).ifPresent(value -> answer.member(id, value));
        }
        return answer.endObject();
    }

    private JsonWriter addToClasspath(List<String> paths) {
        // Read first: the compiler does not recover from a jar that it cannot read.
        paths.forEach(classIndex::add);
        for (String path : paths) {
            interpreter.shell().addToClasspath(path);
            codeChecker.addToClasspath(path);
        }
        return KernelChannel.beginMessage("done");
    }

    /** Defines again what an earlier session had. */
    private JsonWriter restore(Json request) {
        JsonWriter answer = KernelChannel.beginMessage("done").name("changes").beginArray();
        var lost = new ArrayList<String>();
        Json definitions = request.member("definitions");
        interpreter.startRestoredNumbering();
        for (Json one : definitions == null ? List.<Json>of() : definitions.elements()) {
            String source =
                    text(one, "kind").equals("variable")
                            ? text(one, "type") + " " + text(one, "name") + ";"
                            : text(one, "source");
            if (!interpreter.define(source, answer)) {
                lost.add(text(one, "kind") + " " + text(one, "name"));
            }
        }
        interpreter.continueNumbering((int) number(request, "lastId"));
        answer.endArray().name("lost").beginArray();
        lost.forEach(answer::string);
        return answer.endArray();
    }

    private static String text(Json request, String member) {
        String text = request.memberText(member);
        return text == null ? "" : text;
    }

    private static long number(Json request, String member) {
        Json number = request.member(member);
        return number == null ? 0 : number.asLong(0);
    }

    private static List<String> texts(Json request, String member) {
        Json array = request.member(member);
        return array == null ? List.of() : array.elements().stream().map(Json::text).toList();
    }
}
