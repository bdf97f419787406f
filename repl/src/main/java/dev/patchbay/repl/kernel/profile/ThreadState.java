package dev.patchbay.repl.kernel.profile;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.kernel.code.TypeNames;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The threads of this JVM: their states, what they wait for, and where they are. */
public final class ThreadState {
    private static final int THREADS_MAX = 500;
    private static final int DUMP_BYTES_MAX = 16 * 1024 * 1024;

    /** The threads that are not the user's. */
    private static final Set<String> OWN =
            Set.of("session", "wire", "main", "DestroyJavaVM", "Attach Listener");

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ThreadState() {}

    /** Writes the threads, those of the JVM and of the session only if asked for. */
    public static void write(boolean all, int framesMax, JsonWriter target) {
        ThreadInfo[] infos = THREADS.dumpAllThreads(true, true, framesMax);
        Map<Long, String> groups = groups();
        List<ThreadInfo> shown =
                Arrays.stream(infos)
                        .filter(it -> it != null && (all || !isSystem(it, groups)))
                        .toList();
        target.beginObject();
        target.member("platformThreads", infos.length);
        long[] deadlocked = THREADS.findDeadlockedThreads();
        target.name("threads").beginArray();
        for (ThreadInfo info : shown.stream().limit(THREADS_MAX).toList()) {
            write(info, isIn(info.getThreadId(), deadlocked), target);
        }
        List<Json> virtual = virtualThreads();
        for (Json thread : virtual.stream().limit(THREADS_MAX).toList()) {
            writeVirtual(thread, framesMax, target);
        }
        target.endArray();
        target.member("virtualThreads", virtual.size());
        target.member("deadlocked", deadlocked == null ? 0 : deadlocked.length);
        target.member(
                "omitted",
                Math.max(0, shown.size() - THREADS_MAX)
                        + Math.max(0, virtual.size() - THREADS_MAX));
        target.endObject();
    }

    private static boolean isSystem(ThreadInfo info, Map<Long, String> groups) {
        String group = groups.getOrDefault(info.getThreadId(), "system");
        return OWN.contains(info.getThreadName())
                || group.equals("system")
                || group.equals("InnocuousThreadGroup");
    }

    /** The names of the threads' groups. */
    private static Map<Long, String> groups() {
        var groups = new HashMap<Long, String>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            ThreadGroup group = thread.getThreadGroup();
            if (group != null) {
                groups.put(thread.threadId(), group.getName());
            }
        }
        return groups;
    }

    private static boolean isIn(long id, long @Nullable [] ids) {
        return ids != null && Arrays.stream(ids).anyMatch(it -> it == id);
    }

    private static void write(ThreadInfo info, boolean deadlocked, JsonWriter target) {
        target.beginObject().member("id", info.getThreadId());
        target.member("name", info.getThreadName());
        target.member("state", info.getThreadState().name());
        target.member("virtual", false).member("daemon", info.isDaemon());
        long cpu = THREADS.getThreadCpuTime(info.getThreadId());
        target.member("cpuMillis", Math.max(0, cpu) / 1_000_000);
        target.member(
                "allocatedBytes", Math.max(0, THREADS.getThreadAllocatedBytes(info.getThreadId())));
        if (info.getLockName() != null) {
            target.member("waitsFor", info.getLockName());
        }
        if (info.getLockOwnerName() != null) {
            target.member("heldBy", info.getLockOwnerName());
        }
        target.member("deadlocked", deadlocked);
        target.name("frames").beginArray();
        for (StackTraceElement frame : info.getStackTrace()) {
            target.string(frame(frame));
        }
        target.endArray().endObject();
    }

    private static String frame(StackTraceElement frame) {
        String line = frame.getLineNumber() > 0 ? ":" + frame.getLineNumber() : "";
        return TypeNames.ofBinaryName(frame.getClassName()) + "." + frame.getMethodName() + line;
    }

    /** Only a thread dump to a file knows virtual threads. */
    private static List<Json> virtualThreads() {
        var found = new ArrayList<Json>();
        try {
            Path folder = Files.createTempDirectory("patchbay-threads");
            Path file = folder.resolve("dump.json");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(file.toString(), ThreadDumpFormat.JSON);
                if (Files.size(file) <= DUMP_BYTES_MAX) {
                    collect(Json.parse(Files.readAllBytes(file)), found);
                }
            } finally {
                Files.deleteIfExists(file);
                Files.deleteIfExists(folder);
            }
        } catch (IOException | JsonException e) {
            return List.of();
        }
        return found;
    }

    private static void collect(Json dump, List<Json> target) {
        Json inside = dump.member("threadDump");
        Json containers = inside == null ? null : inside.member("threadContainers");
        if (containers == null) {
            return;
        }
        for (Json container : containers.elements()) {
            Json threads = container.member("threads");
            for (Json thread : threads == null ? List.<Json>of() : threads.elements()) {
                Json virtual = thread.member("virtual");
                if (virtual != null && virtual.isTrue()) {
                    target.add(thread);
                }
            }
        }
    }

    private static void writeVirtual(Json thread, int framesMax, JsonWriter target) {
        Json id = thread.member("tid");
        String name = thread.memberText("name");
        String state = thread.memberText("state");
        target.beginObject();
        target.member("id", id == null ? 0 : id.isString() ? parse(id.text()) : id.asLong(0));
        target.member("name", name == null ? "" : name);
        target.member("state", state == null ? "" : state);
        target.member("virtual", true).name("frames").beginArray();
        Json stack = thread.member("stack");
        for (Json frame : stack == null ? List.<Json>of() : stack.elements()) {
            if (framesMax-- <= 0) {
                break;
            }
            target.string(frame.text());
        }
        target.endArray().endObject();
    }

    private static long parse(String number) {
        return number.matches("\\d{1,18}") ? Long.parseLong(number) : 0;
    }
}
