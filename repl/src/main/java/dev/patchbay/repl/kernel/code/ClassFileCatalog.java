package dev.patchbay.repl.kernel.code;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The class files that the code of a session can use: its own, those of its class path, and the
 * JDK's. They are read each time they are asked for; nothing of them is kept.
 *
 * @param session the classes of the session by name
 * @param classpath jars and folders
 * @param lookup finds the class file of an internal name, such as {@code java/util/List}
 */
public record ClassFileCatalog(
        Map<String, byte[]> session,
        List<String> classpath,
        Function<String, @Nullable InputStream> lookup) {
    private static final int CLASSES_MAX = 200_000;
    private static final int CLASS_BYTES_MAX = 4 * 1024 * 1024;
    private static final String SUFFIX = ".class";

    /** How far a search goes. */
    public enum Scope {
        /** The code of the session. */
        SESSION,
        /** That, and what was added to the class path. */
        CLASSPATH,
        /** That, and the modules of the JDK. */
        ALL
    }

    /** Takes in one class file and says where it comes from. */
    public interface ClassFileVisitor {
        void visit(byte[] bytes, String origin);
    }

    /**
     * What a walk over class files left out.
     *
     * @param visited how many were read
     * @param problems what could not be read, and why
     * @param isStopped whether it ended before its end, because it was told to or had enough
     */
    public record WalkResult(int visited, Set<String> problems, boolean isStopped) {}

    public ClassFileCatalog {
        session = Map.copyOf(session);
        classpath = List.copyOf(classpath);
    }

    /** Shows all class files of a scope to the visitor, until it is told to stop. */
    public WalkResult walk(Scope scope, BooleanSupplier stop, ClassFileVisitor visitor) {
        var walk = new Walk(stop, visitor);
        session.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .forEach(one -> walk.accept(one.getValue(), "session"));
        if (scope != Scope.SESSION) {
            classpath.forEach(walk::acceptPath);
        }
        if (scope == Scope.ALL) {
            ModuleFinder.ofSystem().findAll().stream()
                    .sorted(Comparator.comparing(module -> module.descriptor().name()))
                    .forEach(walk::acceptModule);
        }
        return new WalkResult(walk.visited, walk.problems, walk.stopped);
    }

    /** The bytes of a class; null if there is no such class. */
    public byte @Nullable [] find(String internalName) {
        try (InputStream input = lookup.apply(internalName)) {
            return input == null ? null : input.readNBytes(CLASS_BYTES_MAX);
        } catch (IOException e) {
            return null;
        }
    }

    /** One walk on its way. */
    private static final class Walk {
        private final BooleanSupplier stop;
        private final ClassFileVisitor visitor;
        private final Set<String> problems = new TreeSet<>();
        private int visited;
        private boolean stopped;

        Walk(BooleanSupplier stop, ClassFileVisitor visitor) {
            this.stop = stop;
            this.visitor = visitor;
        }

        void accept(byte[] bytes, String origin) {
            stopped = stopped || visited >= CLASSES_MAX || stop.getAsBoolean();
            if (stopped) {
                return;
            }
            visited++;
            try {
                visitor.visit(bytes, origin);
            } catch (IllegalArgumentException e) {
                problems.add(origin + ": a class file cannot be read: " + e.getMessage());
            }
        }

        void acceptPath(String path) {
            try {
                if (Files.isDirectory(Path.of(path))) {
                    acceptFolder(Path.of(path));
                } else {
                    acceptJar(path);
                }
            } catch (IOException e) {
                problems.add(path + " cannot be read: " + e.getMessage());
            }
        }

        private void acceptFolder(Path folder) throws IOException {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.filter(it -> it.toString().endsWith(SUFFIX)).toList()) {
                    if (isClass(folder.relativize(file).toString().replace('\\', '/'))) {
                        accept(read(Files.newInputStream(file)), folder.toString());
                    }
                }
            }
        }

        private void acceptJar(String path) throws IOException {
            try (var jar = new ZipFile(path)) {
                for (ZipEntry entry : jar.stream().filter(it -> isClass(it.getName())).toList()) {
                    if (stopped) {
                        return;
                    }
                    accept(read(jar.getInputStream(entry)), path);
                }
            }
        }

        void acceptModule(ModuleReference module) {
            String name = module.descriptor().name();
            try (var reader = module.open()) {
                var files = new ArrayList<String>();
                reader.list().filter(Walk::isClass).forEach(files::add);
                for (String file : files) {
                    if (stopped) {
                        return;
                    }
                    var input = reader.open(file);
                    if (input.isPresent()) {
                        accept(read(input.get()), "module " + name);
                    }
                }
            } catch (IOException e) {
                problems.add("module " + name + " cannot be read: " + e.getMessage());
            }
        }

        private static boolean isClass(String file) {
            return file.endsWith(SUFFIX)
                    && !file.endsWith("module-info.class")
                    && !file.startsWith("META-INF/");
        }

        private static byte[] read(InputStream input) throws IOException {
            try (input) {
                return input.readNBytes(CLASS_BYTES_MAX);
            }
        }
    }
}
