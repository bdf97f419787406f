package dev.patchbay.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The behaviours of the process itself: dying, flooding, closing streams, refusing to end. */
final class ProcessFaults {
    private static final String IGNORE_SIGNALS_SCRIPT =
            "trap '' TERM HUP INT; i=0; while [ $i -lt 600 ]; do sleep 1; i=$((i+1)); done";

    private final ScriptedServerContext core;
    private final ScriptedStdio stdio;

    ProcessFaults(ScriptedServerContext core) {
        this.core = core;
        this.stdio = core.stdio();
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean tryRun(String behaviour, ScriptedRequest call) {
        switch (behaviour) {
            case "crash" -> core.schedule(call.number("ms", 0), () -> exit(call.number("exit", 1)));
            case "kill9" -> signalSelf("KILL");
            case "signal" -> signalSelf(call.text("name", "KILL"));
            case "partialThenExit" -> {
                stdio.writeBytes(Utf8Text.encode(WireFaults.partialResponse(call)));
                exit(call.number("exit", 1));
            }
            case "closeStdin" -> stdio.closeInput();
            case "deafen" -> stdio.stopReading();
            case "closeStdout" -> stdio.closeOutput();
            case "stderrFlood" ->
                    core.runInThread(
                            () -> {
                                floodStderr(
                                        call.number("bytes", 1 << 20), call.text("line", "true"));
                                core.responses().sendText(call, "flooded");
                            });
            case "grandchild" -> {
                startGrandchild(call.text("kind", "plain"));
                core.responses().sendText(call, "born");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** What the script wants before the first line is read. */
    void onStart() {
        ScriptedServerOptions options = core.options();
        if (options.has("stderr")) {
            stdio.writeStderr(Utf8Text.encode(options.text("stderr", "") + "\n"));
        }
        if (options.has("exit")) {
            exit(options.number("exit", 1));
        }
        if (options.isSet("ignore-term")) {
            // The JVM answers SIGTERM by running its hooks; one that never ends keeps it alive.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> ScriptedStdio.sleep(1L << 40)));
        }
        if (options.has("grandchild")) {
            startGrandchild(options.text("grandchild", "plain"));
        }
        if (options.has("stderr-flood")) {
            long bytes = Long.parseLong(options.text("stderr-flood", "0"));
            core.runInThread(() -> floodStderr(bytes, "true"));
        }
        long life = options.number("life-seconds", 900) * 1000L;
        core.runInThread(
                () -> {
                    ScriptedStdio.sleep(life);
                    exit(99);
                });
    }

    /** What the script wants once the handshake is over. */
    void onReady() {
        ScriptedServerOptions options = core.options();
        if (options.isSet("deaf")) {
            stdio.stopReading();
        }
        if (options.has("die-after")) {
            core.schedule(
                    options.number("die-after", 0), () -> exit(options.number("exit-code", 1)));
        }
        if (options.has("flood")) {
            long bytes = Long.parseLong(options.text("flood", "0"));
            core.runInThread(() -> floodStdout(bytes));
        }
    }

    static void exit(long code) {
        Runtime.getRuntime().halt((int) code);
    }

    /** The environment, arguments and descriptors of this process as a JSON object. */
    static String describe() {
        long pid = ProcessHandle.current().pid();
        var env = new ArrayList<String>();
        for (Map.Entry<String, String> entry : new TreeMap<>(System.getenv()).entrySet()) {
            env.add(StrictJson.quote(entry.getKey()) + ":" + StrictJson.quote(entry.getValue()));
        }
        String[] arguments = ProcessHandle.current().info().arguments().orElse(new String[0]);
        return "{\"pid\":"
                + pid
                + ",\"cwd\":"
                + StrictJson.quote(System.getProperty("user.dir"))
                + ",\"env\":{"
                + String.join(",", env)
                + "},\"argv\":"
                + jsonArray(List.of(arguments))
                + ",\"fds\":"
                + jsonArray(ProcessInspector.descriptors(pid))
                + "}";
    }

    private static String jsonArray(List<String> texts) {
        var quoted = new ArrayList<String>();
        for (String text : texts) {
            quoted.add(StrictJson.quote(text));
        }
        return "[" + String.join(",", quoted) + "]";
    }

    private void floodStdout(long bytes) {
        byte[] line = StrayOutputSamples.bytesOf("garbage");
        byte[] chunk = new byte[line.length * 1000];
        for (int i = 0; i < chunk.length; i += line.length) {
            System.arraycopy(line, 0, chunk, i, line.length);
        }
        for (long done = 0; done < bytes; done += chunk.length) {
            stdio.writeBytes(chunk);
        }
    }

    private static void signalSelf(String name) {
        try {
            ProcessInspector.signal(ProcessHandle.current().pid(), name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void floodStderr(long bytes, String lines) {
        byte[] chunk = new byte[8192];
        Arrays.fill(chunk, (byte) 'e');
        if (lines.equals("true")) {
            chunk[chunk.length - 1] = '\n';
        }
        for (long done = 0; done < bytes; done += chunk.length) {
            stdio.writeStderr(chunk);
        }
    }

    /** Starts a process that ignores TERM, HUP and INT, and notes its pid. */
    private void startGrandchild(String kind) {
        var command = new ArrayList<>(List.of("/bin/sh", "-c", IGNORE_SIGNALS_SCRIPT));
        if (kind.equals("session")) {
            command.add(0, "setsid");
        }
        var builder = new ProcessBuilder(command);
        builder.redirectInput(Redirect.from(new File("/dev/null")));
        builder.redirectError(Redirect.DISCARD);
        builder.redirectOutput(kind.equals("pipes") ? Redirect.INHERIT : Redirect.DISCARD);
        try {
            long pid = builder.start().pid();
            ServerRecordingWriter.appendToCounter(
                    core.options(), "grandchild " + pid + " " + System.nanoTime());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
