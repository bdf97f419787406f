import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassFile.ClassHierarchyResolverOption;
import java.lang.classfile.ClassFile.StackMapsOption;
import java.lang.classfile.ClassFileVersion;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Converts the classes of libraries that were compiled for Java 5 to the class files of Java 8:
 * {@code java build/UpgradeClassFiles.java LIB}. An AOT cache cannot hold the older ones, because
 * they have no stack maps. Only the version and the stack maps change. Each jar says that it was
 * changed.
 */
final class UpgradeClassFiles {
    private static final int OLD_VERSION_MAX = ClassFile.JAVA_5_VERSION;
    private static final int NEW_VERSION = ClassFile.JAVA_8_VERSION;
    private static final String NOTICE = "META-INF/CHANGED-BY-PATCHBAY";
    private static final String NOTICE_TEXT =
            "The class files of this library were converted to a newer class file version.\n";

    private UpgradeClassFiles() {}

    public static void main(String[] args) throws IOException {
        try (var jars = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
            for (var jar : jars) {
                if (isOld(jar)) {
                    upgrade(jar);
                }
            }
        }
    }

    /** Whether the classes of a library are old and were not converted yet. */
    private static boolean isOld(Path jar) throws IOException {
        try (var file = new ZipFile(jar.toFile())) {
            for (var entry : Collections.list(file.entries())) {
                if (isClass(entry)) {
                    return majorVersion(read(file, entry)) <= OLD_VERSION_MAX;
                }
            }
        }
        return false;
    }

    private static boolean isClass(ZipEntry entry) {
        var name = entry.getName();
        return name.endsWith(".class") && !name.startsWith("META-INF/");
    }

    private static int majorVersion(byte[] classFile) {
        return (classFile[6] & 0xFF) << 8 | classFile[7] & 0xFF;
    }

    private static byte[] read(ZipFile file, ZipEntry entry) throws IOException {
        try (var input = file.getInputStream(entry)) {
            return input.readAllBytes();
        }
    }

    private static void upgrade(Path jar) throws IOException {
        var fresh = jar.resolveSibling(jar.getFileName() + ".new");
        var time = Files.getLastModifiedTime(jar);
        try (var file = new ZipFile(jar.toFile());
                var output = new ZipOutputStream(Files.newOutputStream(fresh))) {
            var converter = converter(file);
            var last = LocalDateTime.MIN;
            for (var entry : Collections.list(file.entries())) {
                var bytes = read(file, entry);
                if (isClass(entry) && majorVersion(bytes) <= OLD_VERSION_MAX) {
                    bytes = converter.transformClass(converter.parse(bytes), newVersion());
                }
                write(output, entry.getName(), entry.getTimeLocal(), bytes);
                last = entry.getTimeLocal();
            }
            write(output, NOTICE, last, NOTICE_TEXT.getBytes(StandardCharsets.US_ASCII));
        }
        Files.setLastModifiedTime(fresh, time);
        Files.move(fresh, jar, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void write(ZipOutputStream output, String name, LocalDateTime time, byte[] bytes)
            throws IOException {
        var entry = new ZipEntry(name);
        entry.setTimeLocal(time);
        output.putNextEntry(entry);
        output.write(bytes);
        output.closeEntry();
    }

    /** Stack maps depend on which class extends which, in the library and in the JDK. */
    private static ClassFile converter(ZipFile library) {
        var resolver =
                ClassHierarchyResolver.ofResourceParsing(
                                type -> {
                                    var descriptor = type.descriptorString();
                                    var name = descriptor.substring(1, descriptor.length() - 1);
                                    return open(library, name + ".class");
                                })
                        .orElse(ClassHierarchyResolver.defaultResolver())
                        .cached();
        return ClassFile.of(
                StackMapsOption.GENERATE_STACK_MAPS, ClassHierarchyResolverOption.of(resolver));
    }

    private static InputStream open(ZipFile library, String name) {
        var entry = library.getEntry(name);
        try {
            return entry == null ? null : library.getInputStream(entry);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ClassTransform newVersion() {
        ClassTransform version =
                (builder, element) ->
                        builder.with(
                                element instanceof ClassFileVersion
                                        ? ClassFileVersion.of(NEW_VERSION, 0)
                                        : element);
        // A method is only written anew, with stack maps, if its code is transformed.
        return version.andThen(ClassTransform.transformingMethodBodies(CodeTransform.ACCEPT_ALL));
    }
}
