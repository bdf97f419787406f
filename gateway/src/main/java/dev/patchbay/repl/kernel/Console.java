package dev.patchbay.repl.kernel;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A standard stream of the session, which the code that prints to it cannot close. */
final class Console extends PrintStream {
    private Console(Wire.Outlet outlet) {
        super(outlet, true, StandardCharsets.UTF_8);
    }

    /** Makes the standard streams those of the session. */
    static void install(Wire wire) {
        System.setOut(new Console(wire.outlet(Wire.OUT)));
        System.setErr(new Console(wire.outlet(Wire.ERR)));
    }

    /** Sets a stream that code made null: the compiler cannot do without. */
    static void mend(Wire wire) {
        if (System.out == null) {
            System.setOut(new Console(wire.outlet(Wire.OUT)));
        }
        if (System.err == null) {
            System.setErr(new Console(wire.outlet(Wire.ERR)));
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
