package dev.patchbay.repl.kernel;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import java.io.ByteArrayOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The entry of a session's JVM. Its one argument says where the server listens; the first line on
 * standard input is the secret that the server expects. Standard input ends behind it, so that code
 * which reads from it sees the end at once.
 */
public final class KernelMain {
    /** What is imported without being asked for. */
    public static final List<String> IMPORTED_PACKAGES =
            List.of(
                    "java.io",
                    "java.math",
                    "java.net",
                    "java.nio.charset",
                    "java.nio.file",
                    "java.time",
                    "java.util",
                    "java.util.concurrent",
                    "java.util.function",
                    "java.util.regex",
                    "java.util.stream");

    /** The compiler recurses over the nesting of the code it is given. */
    private static final long SESSION_STACK_BYTES = 64L * 1024 * 1024;

    private static final long DRAIN_MILLIS_MAX = 2_000;
    private static final int SECRET_BYTES_MAX = 256;
    private static final int REQUESTS_MAX = 16;

    private final KernelChannel channel;
    private final BlockingQueue<Json> requests = new ArrayBlockingQueue<>(REQUESTS_MAX);

    private KernelMain(KernelChannel wire) {
        this.channel = wire;
    }

    public static void main(String[] args) throws IOException {
        String secret = readSecret();
        // What runs here must not see, nor compile against, the classes of the gateway.
        System.setProperty("java.class.path", args[1]);
        var channel = SocketChannel.open(address(args[0]));
        var wire = new KernelChannel(channel, secret);
        UncloseablePrintStream.install(wire);
        Runtime.getRuntime()
                .addShutdownHook(
                        new Thread(() -> wire.awaitWritten(DRAIN_MILLIS_MAX), "last words"));
        wire.send(new JsonWriter().beginObject().member("secret", secret).endObject().toJson());
        new KernelMain(wire).readRequests();
    }

    private static String readSecret() throws IOException {
        var line = new ByteArrayOutputStream();
        InputStream input = new FileInputStream(FileDescriptor.in);
        int next = input.read();
        while (next >= 0 && next != '\n' && line.size() < SECRET_BYTES_MAX) {
            line.write(next);
            next = input.read();
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    private static SocketAddress address(String argument) {
        String where = argument.substring(argument.indexOf(':') + 1);
        return argument.startsWith("tcp:")
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(where))
                : UnixDomainSocketAddress.of(where);
    }

    /** Reads requests until the server is gone. */
    private void readRequests() {
        new Thread(null, this::processRequests, "session", SESSION_STACK_BYTES).start();
        try {
            for (Json request = channel.receive(); request != null; request = channel.receive()) {
                if (KernelChannel.STOP.equals(request.memberText("do"))) {
                    StopSignal.request();
                } else {
                    requests.add(request);
                }
            }
        } catch (IOException | JsonException | RuntimeException e) {
            channel.log("The line to the server broke: " + e);
        }
        // Threads of the user may still run; without a server there is nobody they run for.
        Runtime.getRuntime().halt(0);
    }

    /** The session's own thread: starts JShell, then does one request after the other. */
    private void processRequests() {
        try {
            var operations = new KernelOperations(channel);
            channel.send(KernelChannel.beginMessage("ready").endObject().toJson());
            while (true) {
                channel.send(operations.perform(requests.take()));
            }
        } catch (Throwable e) {
            // Out of memory, or a fault of our own: the server starts a new session.
            channel.log("The session failed: " + e);
            channel.awaitWritten(DRAIN_MILLIS_MAX);
            Runtime.getRuntime().halt(KernelChannel.EXIT_FAULT);
        }
    }
}
