package dev.patchbay.repl;

import java.io.File;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** A session as a file that other tools can run: a script for jshell, or a Java source file. */
final class SessionExporter {
    private static final Pattern VAR = Pattern.compile("^((?:final\\s+)?)var\\s");

    private SessionExporter() {}

    /** A script that the jshell tool of the JDK runs, and the tool run_file. */
    static String script(SessionSnapshot snapshot, List<String> packages) {
        var text = new StringBuilder();
        if (!snapshot.classpath().isEmpty()) {
            text.append("/env --class-path ")
                    .append(String.join(File.pathSeparator, snapshot.classpath()))
                    .append('\n');
        }
        imports(snapshot, packages).forEach(it -> text.append(it).append('\n'));
        for (String kind : List.of("type", "method", "variable")) {
            for (Definition one : snapshot.ofKind(kind)) {
                text.append('\n').append(terminated(one.source())).append('\n');
            }
        }
        return text.toString();
    }

    /** A source file without a class around it, as Java 25 has them, with a main method. */
    static String javaFile(SessionSnapshot snapshot, List<String> packages) {
        var text = new StringBuilder();
        if (!snapshot.classpath().isEmpty()) {
            text.append("// Run with: java --class-path ")
                    .append(String.join(File.pathSeparator, snapshot.classpath()))
                    .append('\n');
        }
        imports(snapshot, packages).forEach(it -> text.append(it).append('\n'));
        for (String kind : List.of("type", "variable", "method")) {
            for (Definition one : snapshot.ofKind(kind)) {
                text.append('\n').append(terminated(member(one))).append('\n');
            }
        }
        boolean hasMain =
                snapshot.ofKind("method").stream().anyMatch(it -> it.name().equals("main"));
        if (!hasMain) {
            text.append("\nvoid main() {}\n");
        }
        return text.toString();
    }

    private static Set<String> imports(SessionSnapshot snapshot, List<String> packages) {
        var imports = new TreeSet<String>();
        packages.forEach(name -> imports.add("import " + name + ".*;"));
        snapshot.ofKind("import").forEach(it -> imports.add(terminated(it.source())));
        return imports;
    }

    /** A field has no var, but the session knows the type. */
    private static String member(Definition definition) {
        String source = definition.source().strip();
        if (!definition.kind().equals("variable")) {
            return source;
        }
        return VAR.matcher(source).replaceFirst(it -> it.group(1) + definition.type() + " ");
    }

    private static String terminated(String source) {
        String stripped = source.strip();
        return stripped.endsWith(";") || stripped.endsWith("}") ? stripped : stripped + ";";
    }
}
