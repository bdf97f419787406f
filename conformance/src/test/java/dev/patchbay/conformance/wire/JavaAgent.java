package dev.patchbay.conformance.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

import javax.tools.ToolProvider;

/** Code that a JVM loads before the program, and that sees every class of it. */
public final class JavaAgent {
    private JavaAgent() {}

    /**
     * Makes an agent in a folder of its own.
     *
     * @param source a class of this name, in no package, with a method {@code premain}
     * @return the option of a JVM that loads it
     */
    public static String build(Path folder, String name, String source) throws IOException {
        Path home = Files.createDirectories(folder.resolve(name));
        Path file = Files.writeString(home.resolve(name + ".java"), source);
        var compiler = ToolProvider.getSystemJavaCompiler();
        OutputStream quiet = OutputStream.nullOutputStream();
        assertThat(compiler.run(null, quiet, quiet, file.toString())).isZero();
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", name);
        Path jar = home.resolve("agent.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar), manifest);
                var classes = Files.newDirectoryStream(home, "*.class")) {
            for (Path each : classes) {
                out.putNextEntry(new JarEntry(each.getFileName().toString()));
                out.write(Files.readAllBytes(each));
            }
        }
        return "-javaagent:" + jar;
    }
}
