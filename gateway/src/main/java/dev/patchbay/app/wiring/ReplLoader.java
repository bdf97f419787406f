package dev.patchbay.app.wiring;

import dev.patchbay.clients.McpServiceFactory;
import dev.patchbay.clients.McpServiceFactory.CloseableMcpService;
import dev.patchbay.files.CodeLocation;
import dev.patchbay.mcp.Implementation;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Loads the Java REPL, a separate program that uses the gateway as a library. Its jar is next to
 * the gateway's jar and not on the class path, because no other command needs it.
 */
public final class ReplLoader {
    private static final String PACKAGE = "dev.patchbay.repl.";
    private static final String FACTORY = PACKAGE + "ReplServiceFactory";
    private static final String JAR = "patchbay-repl.jar";

    private ReplLoader() {}

    /** Creates the service of the REPL. */
    public static CloseableMcpService create(Implementation identity) {
        try {
            return Class.forName(FACTORY, true, classLoader())
                    .asSubclass(McpServiceFactory.class)
                    .getDeclaredConstructor()
                    .newInstance()
                    .create(identity);
        } catch (ReflectiveOperationException | IOException e) {
            throw new CommandFailedException(
                    ExitCode.FAILED,
                    "The REPL cannot be loaded from %s: %s. Install Patchbay again."
                            .formatted(JAR, e));
        }
    }

    /** The class loader of the jar, or of the gateway if the classes are in folders. */
    private static ClassLoader classLoader() throws IOException {
        ClassLoader own = ReplLoader.class.getClassLoader();
        Path jar = CodeLocation.of(ReplLoader.class).resolveSibling(JAR);
        return Files.exists(jar) ? new ReplClassLoader(jar.toUri().toURL(), own) : own;
    }

    /** Loads the classes of the REPL from its jar. */
    private static final class ReplClassLoader extends URLClassLoader {
        ReplClassLoader(URL jar, ClassLoader parent) {
            super("repl", new URL[] {jar}, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? findClass(name) : loaded;
            }
        }
    }
}
