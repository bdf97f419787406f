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
    private static final String STUBBORN =
            "trap '' TERM HUP INT; i=0; while [ $i -lt 600 ]; do sleep 1; i=$((i+1)); done";

    private final ServerCore core;
    private final ServerWire wire;

    ProcessFaults(ServerCore core) {
        this.core = core;
        this.wire = core.wire();
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean play(String behaviour, ServerRequest call) {
        switch (behaviour) {
            case "crash" -> core.later(call.number("ms", 0), () -> end(call.number("exit", 1)));
            case "kill9" -> signal("KILL");
            case "signal" -> signal(call.text("name", "KILL"));
            case "partialThenExit" -> {
                wire.bytes(Text.bytes(WireFaults.part(call)));
                end(call.number("exit", 1));
            }
            case "closeStdin" -> wire.closeInput();
            case "deafen" -> wire.goDeaf();
            case "closeStdout" -> wire.closeOutput();
            case "stderrFlood" ->
                    core.aside(
                            () -> {
                                complain(call.number("bytes", 1 << 20), call.text("line", "true"));
                                core.answers().text(call, "flooded");
                            });
            case "grandchild" -> {
                grandchild(call.text("kind", "plain"));
                core.answers().text(call, "born");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    /** What the script wants before the first line is read. */
    void begin() {
        ServerOptions options = core.options();
        if (options.has("stderr")) {
            wire.complain(Text.bytes(options.text("stderr", "") + "\n"));
        }
        if (options.has("exit")) {
            end(options.number("exit", 1));
        }
        if (options.flag("ignore-term")) {
            // The JVM answers SIGTERM by running its hooks; one that never ends keeps it alive.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> ServerWire.pause(1L << 40)));
        }
        if (options.has("grandchild")) {
            grandchild(options.text("grandchild", "plain"));
        }
        if (options.has("stderr-flood")) {
            long bytes = Long.parseLong(options.text("stderr-flood", "0"));
            core.aside(() -> complain(bytes, "true"));
        }
        long life = options.number("life-seconds", 900) * 1000L;
        core.aside(
                () -> {
                    ServerWire.pause(life);
                    end(99);
                });
    }

    /** What the script wants once the handshake is over. */
    void ready() {
        ServerOptions options = core.options();
        if (options.flag("deaf")) {
            wire.goDeaf();
        }
        if (options.has("die-after")) {
            core.later(options.number("die-after", 0), () -> end(options.number("exit-code", 1)));
        }
        if (options.has("flood")) {
            long bytes = Long.parseLong(options.text("flood", "0"));
            core.aside(() -> flood(bytes));
        }
    }

    static void end(long code) {
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
                + array(List.of(arguments))
                + ",\"fds\":"
                + array(Processes.descriptors(pid))
                + "}";
    }

    private static String array(List<String> texts) {
        var quoted = new ArrayList<String>();
        for (String text : texts) {
            quoted.add(StrictJson.quote(text));
        }
        return "[" + String.join(",", quoted) + "]";
    }

    private void flood(long bytes) {
        byte[] line = Noise.of("garbage");
        byte[] chunk = new byte[line.length * 1000];
        for (int i = 0; i < chunk.length; i += line.length) {
            System.arraycopy(line, 0, chunk, i, line.length);
        }
        for (long done = 0; done < bytes; done += chunk.length) {
            wire.bytes(chunk);
        }
    }

    private static void signal(String name) {
        try {
            Processes.signal(ProcessHandle.current().pid(), name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void complain(long bytes, String lines) {
        byte[] chunk = new byte[8192];
        Arrays.fill(chunk, (byte) 'e');
        if (lines.equals("true")) {
            chunk[chunk.length - 1] = '\n';
        }
        for (long done = 0; done < bytes; done += chunk.length) {
            wire.complain(chunk);
        }
    }

    /** Starts a process that ignores TERM, HUP and INT, and notes its pid. */
    private void grandchild(String kind) {
        var command = new ArrayList<>(List.of("/bin/sh", "-c", STUBBORN));
        if (kind.equals("session")) {
            command.add(0, "setsid");
        }
        var builder = new ProcessBuilder(command);
        builder.redirectInput(Redirect.from(new File("/dev/null")));
        builder.redirectError(Redirect.DISCARD);
        builder.redirectOutput(kind.equals("pipes") ? Redirect.INHERIT : Redirect.DISCARD);
        try {
            long pid = builder.start().pid();
            TrafficFile.note(core.options(), "grandchild " + pid + " " + System.nanoTime());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
