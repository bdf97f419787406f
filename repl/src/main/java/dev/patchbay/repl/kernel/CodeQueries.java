package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.code.ClassFileCatalog;
import dev.patchbay.repl.kernel.code.ClassFileCatalog.Scope;
import dev.patchbay.repl.kernel.code.ClassShape;
import dev.patchbay.repl.kernel.code.Disassembler;
import dev.patchbay.repl.kernel.code.MethodFinder;
import dev.patchbay.repl.kernel.code.ReferenceScanner;
import dev.patchbay.repl.kernel.code.ReferenceTarget;
import dev.patchbay.repl.kernel.code.SubtypeFinder;
import dev.patchbay.repl.kernel.code.TypeNames;

import org.jspecify.annotations.Nullable;

import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Answers questions about compiled code, each as the structured result of a tool. */
final class CodeQueries {
    /** What was found by then is told, and that it is not all. */
    private static final Duration SCAN_TIME_MAX = Duration.ofSeconds(60);

    private final CodeTargets targets;

    CodeQueries(CodeTargets targets) {
        this.targets = targets;
    }

    JsonWriter uses(Json request) {
        ClassFileCatalog catalog = targets.catalog();
        ReferenceTarget target = targets.target(text(request, "name"), catalog);
        var result = ReferenceScanner.scan(target, catalog, scope(request), stop());
        List<Map.Entry<ReferenceScanner.Use, Integer>> sorted = ReferenceScanner.sorted(result);
        int limit = limit(request);
        JsonWriter answer = begin();
        answer.member("target", describe(target));
        answer.member("total", sorted.stream().mapToInt(Map.Entry::getValue).sum());
        answer.member("places", sorted.size());
        answer.name("uses").beginArray();
        for (var entry : sorted.subList(0, Math.min(limit, sorted.size()))) {
            ReferenceScanner.Use use = entry.getKey();
            answer.beginObject();
            answer.member("in", place(use)).member("how", use.how());
            answer.member("count", entry.getValue());
            Integer line = result.lines().get(use);
            if (line != null) {
                answer.member("line", line);
            }
            answer.member("origin", use.origin()).endObject();
        }
        answer.endArray();
        answer.member("omitted", Math.max(0, sorted.size() - limit) + result.dropped());
        writeStrings("unresolved", result.unresolved(), answer);
        return end(result.walk(), answer);
    }

    private static String describe(ReferenceTarget target) {
        String owner = TypeNames.ofClass(target.owner());
        String member = target.member();
        if (member == null) {
            return owner;
        }
        List<String> parameters = target.parameters();
        String rest = parameters == null ? "" : "(" + String.join(", ", parameters) + ")";
        return TypeNames.isSnippet(target.owner())
                ? member + rest
                : owner + "." + member.replace("<init>", "new") + rest;
    }

    private static String place(ReferenceScanner.Use use) {
        String owner = TypeNames.ofClass(use.owner());
        if (use.member().isEmpty()) {
            return owner;
        }
        if (use.member().startsWith("do_it$")) {
            return owner;
        }
        String parameters =
                use.descriptor().startsWith("(")
                        ? TypeNames.parameters(MethodTypeDesc.ofDescriptor(use.descriptor()))
                        : "";
        String name = use.member().replace("<init>", "new") + parameters;
        return TypeNames.isSnippet(use.owner()) ? name : owner + "." + name;
    }

    JsonWriter methods(Json request) {
        var wanted =
                new MethodFinder.Wanted(
                        type(text(request, "takes")),
                        type(text(request, "returns")),
                        text(request, "name"));
        if (wanted.parameter() == null && wanted.result() == null) {
            throw new RefusedException("Give a type in takes, in returns, or in both");
        }
        var result = MethodFinder.find(wanted, targets.catalog(), scope(request), stop());
        int limit = limit(request);
        JsonWriter answer = begin().member("count", result.methods().size());
        answer.name("methods").beginArray();
        for (var method : result.methods().stream().limit(limit).toList()) {
            answer.beginObject();
            answer.member("class", method.owner()).member("signature", method.signature());
            answer.member("static", method.isStatic()).member("origin", method.origin());
            answer.endObject();
        }
        answer.endArray();
        answer.member("omitted", Math.max(0, result.methods().size() - limit) + result.dropped());
        answer.member("hidden", result.hidden());
        return end(result.walk(), answer);
    }

    /** A type by its name in Java; null if there is no name. */
    private @Nullable ClassDesc type(String name) {
        if (name.isBlank()) {
            return null;
        }
        String element = name.strip().replaceAll("<.*>", "");
        int dimensions = 0;
        while (element.endsWith("[]")) {
            element = element.substring(0, element.length() - 2);
            dimensions++;
        }
        ClassDesc type = primitive(element);
        if (type == null) {
            type = ClassDesc.ofDescriptor(targets.type(element).descriptorString());
        }
        return dimensions == 0 ? type : type.arrayType(dimensions);
    }

    private static @Nullable ClassDesc primitive(String name) {
        return switch (name) {
            case "void" -> ClassDesc.ofDescriptor("V");
            case "int" -> ClassDesc.ofDescriptor("I");
            case "long" -> ClassDesc.ofDescriptor("J");
            case "double" -> ClassDesc.ofDescriptor("D");
            case "float" -> ClassDesc.ofDescriptor("F");
            case "boolean" -> ClassDesc.ofDescriptor("Z");
            case "char" -> ClassDesc.ofDescriptor("C");
            case "byte" -> ClassDesc.ofDescriptor("B");
            case "short" -> ClassDesc.ofDescriptor("S");
            default -> null;
        };
    }

    JsonWriter subtypes(Json request) {
        Class<?> type = targets.type(text(request, "name"));
        Json concrete = request.member("concrete");
        var result =
                SubtypeFinder.find(
                        CodeTargets.internalName(type),
                        concrete != null && concrete.isTrue(),
                        targets.catalog(),
                        scope(request),
                        stop());
        int limit = limit(request);
        JsonWriter answer = begin().member("type", TypeNames.ofBinaryName(type.getName()));
        answer.member("count", result.subtypes().size()).name("subtypes").beginArray();
        for (var one : result.subtypes().stream().limit(limit).toList()) {
            answer.beginObject().member("name", one.name()).member("kind", one.kind());
            answer.member("direct", one.isDirect()).member("origin", one.origin()).endObject();
        }
        answer.endArray();
        answer.member("omitted", Math.max(0, result.subtypes().size() - limit) + result.dropped());
        answer.member("hidden", result.hidden());
        return end(result.walk(), answer);
    }

    JsonWriter bytecode(Json request) {
        ClassFileCatalog catalog = targets.catalog();
        ReferenceTarget target = targets.target(text(request, "name"), catalog);
        byte[] bytes = catalog.find(target.owner());
        if (bytes == null) {
            throw new RefusedException("There is no class file of " + describe(target));
        }
        JsonWriter answer = begin().member("name", describe(target));
        if (target.kind() == ReferenceTarget.Kind.METHOD) {
            return CodeTextWriter.writeMethods(
                    new Disassembler(StopSignal.class.getName().replace('.', '/'))
                            .disassemble(bytes, target),
                    answer);
        }
        return CodeTextWriter.writeShape(ClassShape.of(bytes), answer);
    }

    private static JsonWriter begin() {
        return KernelChannel.beginMessage("done").name("result").beginObject();
    }

    /** How much was read, and what was not. */
    private static JsonWriter end(ClassFileCatalog.WalkResult walk, JsonWriter answer) {
        answer.member("scannedClasses", walk.visited()).member("complete", !walk.isStopped());
        writeStrings("problems", walk.problems().stream().limit(20).toList(), answer);
        return answer.endObject();
    }

    private static BooleanSupplier stop() {
        long end = System.nanoTime() + SCAN_TIME_MAX.toNanos();
        return () -> StopSignal.isRequested() || System.nanoTime() - end > 0;
    }

    private static Scope scope(Json request) {
        return Scope.valueOf(text(request, "scope").toUpperCase(Locale.ROOT));
    }

    private static int limit(Json request) {
        Json limit = request.member("limit");
        return limit == null ? 50 : (int) limit.asLong(50);
    }

    private static String text(Json request, String name) {
        String text = request.memberText(name);
        return text == null ? "" : text;
    }

    static void writeStrings(String name, Collection<String> texts, JsonWriter target) {
        target.name(name).beginArray();
        texts.forEach(target::string);
        target.endArray();
    }
}
