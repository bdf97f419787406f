package dev.patchbay.sandbox;

import dev.patchbay.sandbox.SeccompFilter.Architecture;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/**
 * The system calls that restrict the calling thread and the processes that it starts from then on.
 * What a thread gives up, it cannot get back.
 */
final class LinuxKernel {
    private static final String ERRNO = "errno";
    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERROR_NUMBER =
            STATE.varHandle(MemoryLayout.PathElement.groupElement(ERRNO));

    private static final int CREATE_RULESET = 444;
    private static final int ADD_RULE = 445;
    private static final int RESTRICT_SELF = 446;
    private static final int RULESET_VERSION = 1;
    private static final int RULE_PATH_BENEATH = 1;
    private static final long RULESET_BYTES = 24;
    private static final long RULE_BYTES = 12;

    private static final int PR_SET_SECCOMP = 22;
    private static final int PR_CAPBSET_DROP = 24;
    private static final int PR_SET_NO_NEW_PRIVS = 38;
    private static final int SECCOMP_MODE_FILTER = 2;
    private static final int CAPABILITIES_MAX = 64;
    private static final int FILTER_INSTRUCTION_BYTES = 8;

    private static final int AT_FDCWD = -100;
    private static final int O_PATH = 0x200000;
    private static final int O_CLOEXEC = 0x80000;

    private final MethodHandle systemCall;
    private final int prctl;
    private final int openat;
    private final int close;

    @SuppressWarnings("restricted")
    LinuxKernel(Architecture architecture) {
        var linker = Linker.nativeLinker();
        ValueLayout.OfLong word = ValueLayout.JAVA_LONG;
        systemCall =
                linker.downcallHandle(
                        linker.defaultLookup().findOrThrow("syscall"),
                        FunctionDescriptor.of(word, word, word, word, word, word, word),
                        Linker.Option.firstVariadicArg(1),
                        Linker.Option.captureCallState(ERRNO));
        boolean isX86 = architecture == Architecture.X86_64;
        prctl = isX86 ? 157 : 167;
        openat = isX86 ? 257 : 56;
        close = isX86 ? 3 : 57;
    }

    /** The version of Landlock; 0 if the kernel has none. */
    int landlockVersion() {
        try {
            return (int) call(CREATE_RULESET, 0, 0, RULESET_VERSION, 0);
        } catch (IOException _) {
            return 0;
        }
    }

    /** Creates an empty set of rules for files, TCP and scopes; returns its descriptor. */
    long createRuleset(long files, long tcp, long scopes) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var rules = arena.allocate(RULESET_BYTES, Long.BYTES);
            rules.set(ValueLayout.JAVA_LONG, 0, files);
            rules.set(ValueLayout.JAVA_LONG, Long.BYTES, tcp);
            rules.set(ValueLayout.JAVA_LONG, 2L * Long.BYTES, scopes);
            return call(CREATE_RULESET, rules.address(), RULESET_BYTES, 0, 0);
        }
    }

    /** Allows access to a file or a folder and all that is below it. */
    void allow(long ruleset, Path path, long access) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var name = arena.allocateFrom(path.toString());
            long file = call(openat, AT_FDCWD, name.address(), O_PATH | O_CLOEXEC, 0);
            try {
                var rule = arena.allocate(RULE_BYTES, Long.BYTES);
                rule.set(ValueLayout.JAVA_LONG, 0, access);
                rule.set(ValueLayout.JAVA_INT, Long.BYTES, (int) file);
                call(ADD_RULE, ruleset, RULE_PATH_BENEATH, rule.address(), 0);
            } finally {
                close(file);
            }
        }
    }

    /** Gives up the rights to gain privileges, for this thread and what it starts. */
    void dropPrivileges() throws IOException {
        for (int capability = 0; capability < CAPABILITIES_MAX; capability++) {
            try {
                call(prctl, PR_CAPBSET_DROP, capability, 0, 0);
            } catch (IOException _) {
                // It does not exist, or this user never had it.
            }
        }
        call(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0);
    }

    void restrictSelf(long ruleset) throws IOException {
        call(RESTRICT_SELF, ruleset, 0, 0, 0);
    }

    /** Refuses system calls from now on. */
    void installFilter(byte[] program) throws IOException {
        try (var arena = Arena.ofConfined()) {
            var code = arena.allocate(program.length, Long.BYTES);
            MemorySegment.copy(program, 0, code, ValueLayout.JAVA_BYTE, 0, program.length);
            var filter = arena.allocate(2L * Long.BYTES, Long.BYTES);
            int count = program.length / FILTER_INSTRUCTION_BYTES;
            filter.set(ValueLayout.JAVA_SHORT, 0, (short) count);
            filter.set(ValueLayout.JAVA_LONG, Long.BYTES, code.address());
            call(prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filter.address(), 0);
        }
    }

    void close(long descriptor) throws IOException {
        call(close, descriptor, 0, 0, 0);
    }

    private long call(int number, long first, long second, long third, long fourth)
            throws IOException {
        try (var arena = Arena.ofConfined()) {
            var state = arena.allocate(STATE);
            long result =
                    (long)
                            systemCall.invokeExact(
                                    state, (long) number, first, second, third, fourth, 0L);
            if (result < 0) {
                int error = (int) ERROR_NUMBER.get(state, 0L);
                throw new IOException("system call " + number + " failed with error " + error);
            }
            return result;
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
