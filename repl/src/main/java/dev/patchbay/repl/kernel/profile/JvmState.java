package dev.patchbay.repl.kernel.profile;

import dev.patchbay.json.JsonWriter;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.management.JMException;
import javax.management.ObjectName;

/** The heap of this JVM: how full it is, what was collected, and which classes fill it. */
public final class JvmState {
    private static final Pattern HISTOGRAM_LINE =
            Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(.+)");

    /** The objects of one class. */
    private record ClassCount(String name, long instances, long bytes) {}

    private JvmState() {}

    /** Writes the use of memory, after a collection if asked for. */
    public static void writeHeap(boolean collect, JsonWriter target) {
        var memory = ManagementFactory.getMemoryMXBean();
        if (collect) {
            memory.gc();
        }
        target.beginObject();
        target.name("heap");
        write(memory.getHeapMemoryUsage(), target);
        target.name("nonHeap");
        write(memory.getNonHeapMemoryUsage(), target);
        target.name("pools").beginArray();
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            target.beginObject().member("name", pool.getName()).name("usage");
            write(pool.getUsage(), target);
            target.endObject();
        }
        target.endArray().name("collectors").beginArray();
        for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
            target.beginObject().member("name", gc.getName());
            target.member("collections", Math.max(0, gc.getCollectionCount()));
            target.member("millis", Math.max(0, gc.getCollectionTime())).endObject();
        }
        target.endArray();
        var classes = ManagementFactory.getClassLoadingMXBean();
        target.member("loadedClasses", classes.getLoadedClassCount());
        target.member("uptimeMillis", ManagementFactory.getRuntimeMXBean().getUptime());
        target.endObject();
    }

    private static void write(MemoryUsage usage, JsonWriter target) {
        target.beginObject().member("usedBytes", usage.getUsed());
        target.member("committedBytes", usage.getCommitted());
        if (usage.getMax() >= 0) {
            target.member("maxBytes", usage.getMax());
        }
        target.endObject();
    }

    /** Writes the classes whose live objects take most memory. */
    public static void writeHistogram(int countMax, JsonWriter target) {
        List<ClassCount> counts = histogram();
        target.beginObject();
        target.member("classes", counts.size());
        target.member("instances", counts.stream().mapToLong(ClassCount::instances).sum());
        target.member("bytes", counts.stream().mapToLong(ClassCount::bytes).sum());
        target.name("histogram").beginArray();
        for (ClassCount one : counts.stream().limit(countMax).toList()) {
            target.beginObject().member("class", one.name());
            target.member("instances", one.instances()).member("bytes", one.bytes()).endObject();
        }
        target.endArray();
        target.member("omitted", Math.max(0, counts.size() - countMax));
        target.endObject();
    }

    /** The command of jcmd, which tells only live objects: it collects first. */
    private static List<ClassCount> histogram() {
        String text;
        try {
            text =
                    (String)
                            ManagementFactory.getPlatformMBeanServer()
                                    .invoke(
                                            new ObjectName(
                                                    "com.sun.management:type=DiagnosticCommand"),
                                            "gcClassHistogram",
                                            new Object[] {new String[0]},
                                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new IllegalStateException("The JVM tells no class histogram: " + e, e);
        }
        var counts = new ArrayList<ClassCount>();
        for (String line : text.lines().toList()) {
            Matcher matcher = HISTOGRAM_LINE.matcher(line);
            if (matcher.matches()) {
                counts.add(
                        new ClassCount(
                                ClassNames.readable(matcher.group(3)),
                                Long.parseLong(matcher.group(1)),
                                Long.parseLong(matcher.group(2))));
            }
        }
        return counts;
    }
}
