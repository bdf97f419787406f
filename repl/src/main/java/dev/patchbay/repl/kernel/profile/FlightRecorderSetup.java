package dev.patchbay.repl.kernel.profile;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The options of JDK Flight Recorder, set before its first recording. As options of the JVM they
 * would double the time that every session takes to start.
 */
public final class FlightRecorderSetup {
    /** The system property with the folder for the files of recordings. */
    public static final String FOLDER_PROPERTY = "patchbay.repl.recordings";

    private static final int FRAMES_MAX = 256;

    private static boolean done;

    private FlightRecorderSetup() {}

    /** Sets the options once. Without them stacks are shorter, and files are elsewhere. */
    static synchronized void apply() {
        if (done) {
            return;
        }
        done = true;
        var options = new ArrayList<>(List.of("stackdepth=" + FRAMES_MAX));
        String folder = System.getProperty(FOLDER_PROPERTY, "");
        // The command has no way to write these in a value.
        if (!folder.isEmpty() && folder.chars().noneMatch(c -> " ,=\"'".indexOf(c) >= 0)) {
            options.add("repositorypath=" + folder);
        }
        try {
            Object _ =
                    ManagementFactory.getPlatformMBeanServer()
                            .invoke(
                                    new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                    "jfrConfigure",
                                    new Object[] {options.toArray(String[]::new)},
                                    new String[] {String[].class.getName()});
        } catch (JMException | RuntimeException e) {
            return;
        }
    }
}
