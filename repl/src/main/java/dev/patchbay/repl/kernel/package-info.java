/**
 * The program that runs in a session's own JVM: it hosts the JDK's JShell, runs snippets, and tells
 * the server about them over a private socket. It needs nothing but the JDK (module {@code
 * jdk.jshell}, which an image made with jlink must include) and the {@code json} package. Start at
 * {@link dev.patchbay.repl.kernel.KernelMain}.
 *
 * <p>The server does not trust this program: whatever runs here shares its JVM with the user's
 * code, which may end it, fill its memory or speak in its name at any time.
 */
@NullMarked
package dev.patchbay.repl.kernel;

import org.jspecify.annotations.NullMarked;
