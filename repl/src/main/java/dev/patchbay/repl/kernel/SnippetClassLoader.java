package dev.patchbay.repl.kernel;

import jdk.jshell.spi.ExecutionControl.ClassBytecodes;
import jdk.jshell.spi.ExecutionControl.ClassInstallException;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.constant.ClassDesc;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The class loader of snippets. It sees the JDK and what the user added to the class path, and of
 * the gateway the stop switch alone, so that a library of ours never stands before one of theirs.
 */
final class SnippetClassLoader extends URLClassLoader {
    /** What a trace calls it. */
    static final String NAME = "snippets";

    private static final String STOP_SIGNAL = StopSignal.class.getName();

    /** The packages of the JDK, of which the platform loader sees a part only. */
    private static final Set<String> JDK_PACKAGES =
            ModuleLayer.boot().modules().stream()
                    .flatMap(module -> module.getPackages().stream())
                    .collect(Collectors.toUnmodifiableSet());

    private final Map<String, byte[]> compiled = new ConcurrentHashMap<>();
    private final ClassHierarchyResolver types =
            ClassHierarchyResolver.ofResourceParsing(this::classFile)
                    .orElse(ClassHierarchyResolver.defaultResolver());

    SnippetClassLoader() {
        super(NAME, new URL[0], getPlatformClassLoader());
    }

    /** Takes classes of snippets in, with the stop checks, and links them. */
    void install(ClassBytecodes[] classes) throws ClassInstallException {
        for (ClassBytecodes one : classes) {
            compiled.put(one.name(), one.bytecodes());
        }
        for (ClassBytecodes one : classes) {
            compiled.put(one.name(), StopCheckInjector.inject(one.bytecodes(), types));
        }
        var installed = new boolean[classes.length];
        for (int i = 0; i < classes.length; i++) {
            try {
                // Looking at its methods links the class, so that what is missing shows here.
                installed[i] = loadClass(classes[i].name()).getDeclaredMethods() != null;
            } catch (ClassNotFoundException | LinkageError e) {
                throw new ClassInstallException(classes[i].name() + ": " + e, installed);
            }
        }
    }

    /** The class files of snippets, by the name of the class. */
    Map<String, byte[]> compiledClasses() {
        return Map.copyOf(compiled);
    }

    /** The class file of an internal name, of whatever the code of snippets can see. */
    @Nullable InputStream classFile(String internalName) {
        String name = internalName.replace('/', '.');
        byte[] bytes = compiled.get(name);
        if (bytes != null) {
            return new ByteArrayInputStream(bytes);
        }
        return isJdkClass(name)
                ? getSystemResourceAsStream(internalName + ".class")
                : getResourceAsStream(internalName + ".class");
    }

    void add(String path) {
        for (String element : path.split(File.pathSeparator, -1)) {
            try {
                addURL(new File(element).toURI().toURL());
            } catch (MalformedURLException e) {
                throw new IllegalArgumentException(element, e);
            }
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(STOP_SIGNAL) || isJdkClass(name)) {
            return Class.forName(name, false, StopSignal.class.getClassLoader());
        }
        return super.loadClass(name, resolve);
    }

    private static boolean isJdkClass(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && JDK_PACKAGES.contains(name.substring(0, dot));
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] bytes = compiled.get(name);
        return bytes == null ? super.findClass(name) : defineClass(name, bytes, 0, bytes.length);
    }

    private @Nullable InputStream classFile(ClassDesc type) {
        String descriptor = type.descriptorString();
        return classFile(descriptor.substring(1, descriptor.length() - 1));
    }
}
