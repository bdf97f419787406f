package dev.patchbay.repl.kernel;

import dev.patchbay.json.JsonWriter;

import jdk.jshell.ImportSnippet;
import jdk.jshell.JShell;
import jdk.jshell.PersistentSnippet;
import jdk.jshell.Snippet;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;

/** Descriptions of classes, members and definitions of the session, by name. */
final class SymbolDescriber {
    private static final int MEMBERS_MAX = 250;
    private static final int CANDIDATES_MAX = 20;

    private final JShell shell;
    private final TypeLookup types;

    SymbolDescriber(Interpreter interpreter, TypeLookup types) {
        this.shell = interpreter.shell();
        this.types = types;
    }

    /** Describes what the name means: a definition, a class, or a member behind a class. */
    JsonWriter describe(String asked) {
        String name = asked.strip().replace("::", ".").replace('#', '.').replaceAll("[(<].*", "");
        JsonWriter answer = KernelChannel.beginMessage("done").name("found").beginArray();
        writeDefinitions(name, answer);
        var candidates = new ArrayList<String>();
        Class<?> type = types.find(name, candidates);
        if (type != null) {
            describe(type, answer);
        } else if (candidates.isEmpty() && name.contains(".")) {
            int dot = name.lastIndexOf('.');
            Class<?> owner = types.find(name.substring(0, dot), candidates);
            if (owner != null) {
                writeMembers(owner, name.substring(dot + 1), answer);
            }
        }
        answer.endArray().name("candidates").beginArray();
        candidates.stream().limit(CANDIDATES_MAX).forEach(answer::string);
        return answer.endArray();
    }

    private void writeDefinitions(String name, JsonWriter answer) {
        shell.snippets()
                .filter(snippet -> shell.status(snippet).isActive())
                .filter(snippet -> snippet instanceof PersistentSnippet)
                .filter(snippet -> !(snippet instanceof ImportSnippet))
                .filter(snippet -> ((PersistentSnippet) snippet).name().equals(name))
                .forEach(snippet -> writeDefinition(snippet, answer));
    }

    private static void writeDefinition(Snippet snippet, JsonWriter answer) {
        answer.beginObject();
        answer.member("kind", DefinitionWriter.kind(snippet));
        answer.member("signature", DefinitionWriter.declaration(snippet));
        answer.member("declaredIn", "snippet " + snippet.id());
        answer.member("source", snippet.source());
        answer.endObject();
    }

    private static void describe(Class<?> type, JsonWriter answer) {
        SourceLookup.ClassSource source = SourceLookup.of(type);
        answer.beginObject();
        answer.member("kind", SignatureFormatter.kind(type));
        answer.member("signature", SignatureFormatter.of(type));
        answer.member("declaredIn", origin(type));
        answer.member("documentation", source == null ? "" : source.documentation());
        answer.name("members").beginArray();
        Stream<String> fields =
                Arrays.stream(type.getDeclaredFields())
                        .filter(field -> isShown(field.getModifiers(), field.isSynthetic()))
                        .map(SignatureFormatter::of);
        Stream<String> executables =
                Stream.concat(
                                Arrays.stream(type.getDeclaredConstructors()),
                                Arrays.stream(type.getDeclaredMethods())
                                        .sorted(Comparator.comparing(Method::getName)))
                        .filter(member -> isShown(member.getModifiers(), member.isSynthetic()))
                        .map(member -> signature(member, source));
        Stream.concat(fields, executables).limit(MEMBERS_MAX).forEach(answer::string);
        answer.endArray().endObject();
    }

    private static String signature(Executable member, SourceLookup.@Nullable ClassSource source) {
        return SignatureFormatter.of(member, source == null ? null : source.parameterNames(member));
    }

    private static boolean isShown(int modifiers, boolean synthetic) {
        return !synthetic && !Modifier.isPrivate(modifiers);
    }

    private static String origin(Class<?> type) {
        String module = type.getModule().getName();
        if (module != null) {
            return "module " + module;
        }
        var code = type.getProtectionDomain().getCodeSource();
        return code == null || code.getLocation() == null
                ? "session"
                : code.getLocation().getPath();
    }

    /** Describes all members of that name, inherited ones included. */
    private static void writeMembers(Class<?> owner, String name, JsonWriter answer) {
        Stream.concat(Arrays.stream(owner.getFields()), Arrays.stream(owner.getDeclaredFields()))
                .distinct()
                .filter(field -> field.getName().equals(name))
                .forEach(field -> writeField(field, answer));
        if (name.equals("new") || name.equals(owner.getSimpleName())) {
            for (Constructor<?> constructor : owner.getDeclaredConstructors()) {
                writeExecutable(constructor, answer);
            }
        }
        Stream.concat(Arrays.stream(owner.getMethods()), Arrays.stream(owner.getDeclaredMethods()))
                .distinct()
                .filter(method -> method.getName().equals(name) && !method.isSynthetic())
                .limit(MEMBERS_MAX)
                .forEach(method -> writeExecutable(method, answer));
    }

    private static void writeField(Field field, JsonWriter answer) {
        answer.beginObject();
        answer.member("kind", "field").member("signature", SignatureFormatter.of(field));
        answer.member(
                "declaredIn", ExceptionWriter.sourceName(field.getDeclaringClass().getName()));
        answer.endObject();
    }

    private static void writeExecutable(Executable member, JsonWriter answer) {
        SourceLookup.ClassSource source = SourceLookup.of(member.getDeclaringClass());
        answer.beginObject();
        answer.member("kind", member instanceof Method ? "method" : "constructor");
        answer.member("signature", signature(member, source));
        answer.member(
                "declaredIn", ExceptionWriter.sourceName(member.getDeclaringClass().getName()));
        answer.member("documentation", source == null ? "" : source.documentation(member));
        answer.endObject();
    }
}
