package dev.patchbay.sandbox;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** System calls that Java has no methods for, as a hostile program would make them. */
final class RawSystemCalls {
    private static final boolean IS_X86 = System.getProperty("os.arch").equals("amd64");
    private static final int KILL = IS_X86 ? 62 : 129;
    private static final int PTRACE = IS_X86 ? 101 : 117;
    private static final int KEYCTL = IS_X86 ? 250 : 219;
    private static final int SOCKET = IS_X86 ? 41 : 198;
    private static final int CONNECT = IS_X86 ? 42 : 203;
    private static final int BIND = IS_X86 ? 49 : 200;
    private static final int LISTEN = IS_X86 ? 50 : 201;
    private static final int ATTACH = 16;
    private static final int SESSION_KEYRING = -3;

    private static final MethodHandle SYSTEM_CALL = systemCall();

    private RawSystemCalls() {}

    @SuppressWarnings("restricted")
    private static MethodHandle systemCall() {
        var linker = Linker.nativeLinker();
        var word = ValueLayout.JAVA_LONG;
        return linker.downcallHandle(
                linker.defaultLookup().findOrThrow("syscall"),
                FunctionDescriptor.of(word, word, word, word, word, word),
                Linker.Option.firstVariadicArg(1));
    }

    /** Whether a signal can be sent; 0 only asks. */
    static boolean kill(long pid, int signal) {
        return call(KILL, pid, signal, 0, 0) == 0;
    }

    static boolean attachDebugger(long pid) {
        return call(PTRACE, ATTACH, pid, 0, 0) == 0;
    }

    /** Whether the keyring of the session can be reached. */
    static boolean openKeyring() {
        return call(KEYCTL, 0, SESSION_KEYRING, 1, 0) >= 0;
    }

    /** Whether a socket without a file can be connected to. */
    static boolean connectAbstract(String name) {
        try (var arena = Arena.ofConfined()) {
            long socket = call(SOCKET, 1, 1, 0, 0);
            var address = address(arena, name);
            return socket >= 0
                    && call(CONNECT, socket, address.address(), address.byteSize(), 0) == 0;
        }
    }

    /** Listens on a socket without a file, until this process ends. */
    static boolean listenAbstract(String name) {
        try (var arena = Arena.ofConfined()) {
            long socket = call(SOCKET, 1, 1, 0, 0);
            var address = address(arena, name);
            return call(BIND, socket, address.address(), address.byteSize(), 0) == 0
                    && call(LISTEN, socket, 16, 0, 0) == 0;
        }
    }

    private static MemorySegment address(Arena arena, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        var address = arena.allocate(3L + bytes.length, 2);
        address.set(ValueLayout.JAVA_SHORT, 0, (short) 1);
        MemorySegment.copy(bytes, 0, address, ValueLayout.JAVA_BYTE, 3, bytes.length);
        return address;
    }

    private static long call(int number, long first, long second, long third, long fourth) {
        try {
            return (long) SYSTEM_CALL.invokeExact((long) number, first, second, third, fourth);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
