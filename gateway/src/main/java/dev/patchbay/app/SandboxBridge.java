package dev.patchbay.app;

import dev.patchbay.sandbox.ProxyBridge;

import java.io.IOException;
import java.util.List;

/** The entry point of the process that stands between a confined server and its proxy. */
public final class SandboxBridge {
    private SandboxBridge() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Process program = ProxyBridge.start(List.of(args));
        // A signal reaches the program, too. It decides when and how to end.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endWith(program)));
        System.exit(program.waitFor());
    }

    private static void endWith(Process program) {
        try {
            Runtime.getRuntime().halt(program.waitFor());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
