package dev.patchbay.repl.kernel;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A standard stream of the session, which the code that prints to it cannot close. */
final class UncloseablePrintStream extends PrintStream {
    private UncloseablePrintStream(KernelChannel.CapturingStream outlet) {
        super(outlet, true, StandardCharsets.UTF_8);
    }

    /** Makes the standard streams those of the session. */
    static void install(KernelChannel wire) {
        System.setOut(new UncloseablePrintStream(wire.stream(KernelChannel.OUT)));
        System.setErr(new UncloseablePrintStream(wire.stream(KernelChannel.ERR)));
    }

    /** Sets a stream that code made null: the compiler cannot do without. */
    static void replaceMissing(KernelChannel wire) {
        if (System.out == null) {
            System.setOut(new UncloseablePrintStream(wire.stream(KernelChannel.OUT)));
        }
        if (System.err == null) {
            System.setErr(new UncloseablePrintStream(wire.stream(KernelChannel.ERR)));
        }
        if (System.in == null) {
            System.setIn(InputStream.nullInputStream());
        }
    }

    @Override
    public void close() {
        flush();
    }
}
