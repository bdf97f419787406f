package dev.patchbay.sandbox;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A program for the kernel that refuses system calls. It refuses what namespaces and Landlock do
 * not cover: the keyrings of the kernel, debugging, and interfaces that bypass other checks.
 */
final class SeccompFilter {
    /** A processor architecture: how the kernel names it, and its system calls. */
    enum Architecture {
        X86_64(0xC000003E),
        AARCH64(0xC00000B7);

        private final int auditName;

        Architecture(int auditName) {
            this.auditName = auditName;
        }

        /** That of this machine; null if it is not known. */
        static @Nullable Architecture current() {
            return switch (System.getProperty("os.arch")) {
                case "amd64", "x86_64" -> X86_64;
                case "aarch64", "arm64" -> AARCH64;
                default -> null;
            };
        }
    }

    /** System calls with their numbers on x86-64 and aarch64. */
    private enum SystemCall {
        ACCT(163, 89),
        ADD_KEY(248, 217),
        BPF(321, 280),
        CLONE(56, 220),
        CLONE3(435, 435),
        DELETE_MODULE(176, 106),
        FINIT_MODULE(313, 273),
        FSCONFIG(431, 431),
        FSMOUNT(432, 432),
        FSOPEN(430, 430),
        FSPICK(433, 433),
        INIT_MODULE(175, 105),
        IO_URING_ENTER(426, 426),
        IO_URING_REGISTER(427, 427),
        IO_URING_SETUP(425, 425),
        KEXEC_FILE_LOAD(320, 294),
        KEXEC_LOAD(246, 104),
        KEYCTL(250, 219),
        MOUNT(165, 40),
        MOUNT_SETATTR(442, 442),
        MOVE_MOUNT(429, 429),
        OPEN_BY_HANDLE_AT(304, 265),
        OPEN_TREE(428, 428),
        PERF_EVENT_OPEN(298, 241),
        PIDFD_GETFD(438, 438),
        PIVOT_ROOT(155, 41),
        PROCESS_VM_READV(310, 270),
        PROCESS_VM_WRITEV(311, 271),
        PTRACE(101, 117),
        QUOTACTL(179, 60),
        REBOOT(169, 142),
        REQUEST_KEY(249, 218),
        SETNS(308, 268),
        SOCKET(41, 198),
        SWAPOFF(168, 225),
        SWAPON(167, 224),
        UMOUNT2(166, 39),
        UNSHARE(272, 97),
        USERFAULTFD(323, 282);

        private final int onX86;
        private final int onArm;

        SystemCall(int onX86, int onArm) {
            this.onX86 = onX86;
            this.onArm = onArm;
        }

        int number(Architecture architecture) {
            return architecture == Architecture.X86_64 ? onX86 : onArm;
        }
    }

    /** Refused for every confined process. */
    private static final List<SystemCall> ALWAYS_REFUSED =
            List.of(
                    SystemCall.ACCT,
                    SystemCall.ADD_KEY,
                    SystemCall.BPF,
                    SystemCall.DELETE_MODULE,
                    SystemCall.FINIT_MODULE,
                    SystemCall.INIT_MODULE,
                    SystemCall.KEXEC_FILE_LOAD,
                    SystemCall.KEXEC_LOAD,
                    SystemCall.KEYCTL,
                    SystemCall.OPEN_BY_HANDLE_AT,
                    SystemCall.PERF_EVENT_OPEN,
                    SystemCall.PIDFD_GETFD,
                    SystemCall.PROCESS_VM_READV,
                    SystemCall.PROCESS_VM_WRITEV,
                    SystemCall.PTRACE,
                    SystemCall.QUOTACTL,
                    SystemCall.REBOOT,
                    SystemCall.REQUEST_KEY,
                    SystemCall.SWAPOFF,
                    SystemCall.SWAPON,
                    SystemCall.USERFAULTFD);

    /** Refused in strict: what creates and changes namespaces. */
    private static final List<SystemCall> NAMESPACE_CALLS =
            List.of(
                    SystemCall.FSCONFIG,
                    SystemCall.FSMOUNT,
                    SystemCall.FSOPEN,
                    SystemCall.FSPICK,
                    SystemCall.MOUNT,
                    SystemCall.MOUNT_SETATTR,
                    SystemCall.MOVE_MOUNT,
                    SystemCall.OPEN_TREE,
                    SystemCall.PIVOT_ROOT,
                    SystemCall.SETNS,
                    SystemCall.UMOUNT2,
                    SystemCall.UNSHARE);

    /** As if the kernel did not have them, so that programs use something else. */
    private static final List<SystemCall> RING_CALLS =
            List.of(
                    SystemCall.IO_URING_SETUP,
                    SystemCall.IO_URING_ENTER,
                    SystemCall.IO_URING_REGISTER);

    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int AF_NETLINK = 16;

    private static final int LOAD = 0x20;
    private static final int JUMP_IF_EQUAL = 0x15;
    private static final int JUMP_IF_AT_LEAST = 0x35;
    private static final int JUMP_IF_BITS = 0x45;
    private static final int RETURN = 0x06;

    private static final int NUMBER_OFFSET = 0;
    private static final int ARCHITECTURE_OFFSET = 4;
    private static final int FIRST_ARGUMENT_OFFSET = 16;

    private static final int ALLOW = 0x7fff0000;
    private static final int EPERM = 0x00050000 | 1;
    private static final int ENOSYS = 0x00050000 | 38;

    /** Numbers from here on are those of the x32 interface, which has other numbers. */
    private static final int X32_NUMBERS = 0x40000000;

    private static final int CLONE_NEW_NAMESPACES = 0x7E020000 | 0x80;
    private static final int INSTRUCTION_BYTES = 8;

    private record Instruction(int code, int ifTrue, int ifFalse, int value) {}

    private final Architecture architecture;
    private final List<Instruction> program = new ArrayList<>();

    private SeccompFilter(Architecture architecture) {
        this.architecture = architecture;
    }

    /**
     * The program as the kernel expects it.
     *
     * @param isStrict whether namespaces are refused too
     * @param families the kinds of sockets that can be created; null for all
     */
    static byte[] compile(
            Architecture architecture, boolean isStrict, @Nullable List<Integer> families) {
        return new SeccompFilter(architecture).build(isStrict, families);
    }

    private byte[] build(boolean isStrict, @Nullable List<Integer> families) {
        add(LOAD, ARCHITECTURE_OFFSET);
        program.add(new Instruction(JUMP_IF_EQUAL, 1, 0, architecture.auditName));
        add(RETURN, EPERM);
        add(LOAD, NUMBER_OFFSET);
        if (architecture == Architecture.X86_64) {
            program.add(new Instruction(JUMP_IF_AT_LEAST, 0, 1, X32_NUMBERS));
            add(RETURN, ENOSYS);
        }
        ALWAYS_REFUSED.forEach(call -> refuse(call, EPERM));
        RING_CALLS.forEach(call -> refuse(call, ENOSYS));
        if (isStrict) {
            NAMESPACE_CALLS.forEach(call -> refuse(call, EPERM));
            // Its flags are in memory, where a filter cannot see them.
            refuse(SystemCall.CLONE3, ENOSYS);
            refuseNamespacesOfClone();
        }
        if (families != null) {
            refuseSocketsExcept(families);
        }
        add(RETURN, ALLOW);
        return toBytes();
    }

    private void add(int code, int value) {
        program.add(new Instruction(code, 0, 0, value));
    }

    private void refuse(SystemCall call, int result) {
        program.add(new Instruction(JUMP_IF_EQUAL, 0, 1, call.number(architecture)));
        add(RETURN, result);
    }

    private void refuseNamespacesOfClone() {
        program.add(new Instruction(JUMP_IF_EQUAL, 0, 4, SystemCall.CLONE.number(architecture)));
        add(LOAD, FIRST_ARGUMENT_OFFSET);
        program.add(new Instruction(JUMP_IF_BITS, 0, 1, CLONE_NEW_NAMESPACES));
        add(RETURN, EPERM);
        add(RETURN, ALLOW);
    }

    private void refuseSocketsExcept(List<Integer> families) {
        int skipped = families.size() * 2 + 2;
        program.add(
                new Instruction(JUMP_IF_EQUAL, 0, skipped, SystemCall.SOCKET.number(architecture)));
        add(LOAD, FIRST_ARGUMENT_OFFSET);
        for (int family : families) {
            program.add(new Instruction(JUMP_IF_EQUAL, 0, 1, family));
            add(RETURN, ALLOW);
        }
        add(RETURN, EPERM);
    }

    private byte[] toBytes() {
        var bytes =
                ByteBuffer.allocate(program.size() * INSTRUCTION_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction each : program) {
            bytes.putShort((short) each.code)
                    .put((byte) each.ifTrue)
                    .put((byte) each.ifFalse)
                    .putInt(each.value);
        }
        return bytes.array();
    }
}
