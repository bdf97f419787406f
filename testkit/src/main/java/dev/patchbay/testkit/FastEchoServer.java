package dev.patchbay.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A legacy server that does little, fast: {@code echo} gives its arguments back as text, {@code
 * count} tells how many calls of echo there were. On stdio it answers what came together in any
 * order. It reads what a gateway writes, not all that JSON could be.
 */
public final class FastEchoServer implements AutoCloseable {
    private static final String INITIALIZE =
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                    + "\"serverInfo\":{\"name\":\"quick\",\"version\":\"1\"}}";
    private static final String TOOLS =
            "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}},"
                    + "{\"name\":\"count\",\"inputSchema\":{\"type\":\"object\"}}]}";

    private final AtomicInteger calls = new AtomicInteger();
    private final ServerSocket listener;

    private FastEchoServer(ServerSocket listener) {
        this.listener = listener;
    }

    /** Starts one over HTTP, in this process. */
    public static FastEchoServer startHttp() throws IOException {
        var server =
                new FastEchoServer(new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(server::acceptConnections);
        return server;
    }

    /** The entry of one on stdio in a configuration. */
    public static String stdioConfig() {
        String java = ProcessHandle.current().info().command().orElse("java");
        return "{\"command\": "
                + StrictJson.quote(java)
                + ", \"args\": [\"-XX:TieredStopAtLevel=1\", \"-Xmx64m\", \"-cp\", "
                + StrictJson.quote(classPath())
                + ", "
                + StrictJson.quote(FastEchoServer.class.getName())
                + "]}";
    }

    private static String classPath() {
        return FastEchoServer.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/mcp");
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }

    /** Serves on the standard streams. */
    public static void main(String[] arguments) throws IOException {
        var calls = new AtomicInteger();
        var in = new BufferedInputStream(System.in, 64 * 1024);
        var random = new Random();
        var waiting = new ArrayList<String>();
        for (String line = readLine(in); !line.isEmpty(); line = readLine(in)) {
            String answer = responseTo(line, calls);
            if (!answer.isEmpty()) {
                waiting.add(answer);
            }
            if (in.available() == 0) {
                flush(waiting, random);
            }
        }
    }

    private static void flush(List<String> waiting, Random random) {
        Collections.shuffle(waiting, random);
        var bytes = new ByteArrayOutputStream();
        for (String answer : waiting) {
            bytes.writeBytes(answer.getBytes(StandardCharsets.UTF_8));
            bytes.write('\n');
        }
        waiting.clear();
        System.out.write(bytes.toByteArray(), 0, bytes.size());
        System.out.flush();
    }

    private void acceptConnections() {
        try {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException _) {
            // It was closed.
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            var in = new BufferedInputStream(socket.getInputStream(), 16 * 1024);
            var out = new BufferedOutputStream(socket.getOutputStream(), 16 * 1024);
            for (String start = readLine(in); !start.isEmpty(); start = readLine(in)) {
                boolean posted = start.startsWith("POST");
                int length = bodyLength(in);
                String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
                String answer = posted ? responseTo(body, calls) : "";
                sendResponse(out, posted ? answer.isEmpty() ? 202 : 200 : 405, answer);
            }
        } catch (IOException _) {
            // The client is gone.
        }
    }

    private static int bodyLength(InputStream in) throws IOException {
        int length = 0;
        for (String line = readLine(in); line.length() > 1; line = readLine(in)) {
            if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return length;
    }

    private static void sendResponse(OutputStream out, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head =
                "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                        .formatted(status, bytes.length);
        out.write(head.getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.flush();
    }

    /** The response to a message; empty if it gets none. */
    private static String responseTo(String message, AtomicInteger calls) {
        String id = memberNumber(message, "\"id\":");
        if (id.isEmpty()) {
            return "";
        }
        String result = resultFor(message, calls);
        return result.isEmpty()
                ? "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"?\"}}"
                        .formatted(id)
                : "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}";
    }

    private static String resultFor(String message, AtomicInteger calls) {
        if (message.contains("\"tools/call\"")) {
            return message.contains("\"name\":\"count\"")
                    ? textResult(Integer.toString(calls.get()))
                    : echo(message, calls);
        }
        if (message.contains("\"tools/list\"")) {
            return TOOLS;
        }
        return message.contains("\"initialize\"") ? INITIALIZE : "";
    }

    private static String echo(String message, AtomicInteger calls) {
        calls.incrementAndGet();
        int begin = message.indexOf('{', message.indexOf("\"arguments\":"));
        return textResult(message.substring(begin, message.indexOf('}', begin) + 1));
    }

    private static String textResult(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + StrictJson.quote(text) + "}]}";
    }

    private static String memberNumber(String message, String name) {
        int begin = message.indexOf(name);
        int end = begin + name.length();
        while (begin >= 0 && end < message.length() && Character.isDigit(message.charAt(end))) {
            end++;
        }
        return begin < 0 ? "" : message.substring(begin + name.length(), end);
    }

    /** A line without its end; empty at the end of the stream. */
    private static String readLine(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream(256);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return "";
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
