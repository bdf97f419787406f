package dev.patchbay.http;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The status line and the headers of an answer, and what they say about its body. */
final class AnswerHead {
    /** How the end of a body is found. */
    enum Framing {
        /** After so many bytes. */
        LENGTH,
        /** After the last of its chunks. */
        CHUNKS,
        /** Where the connection ends. */
        CLOSE
    }

    private record Field(String name, String value) {}

    private static final int HEAD_BYTES_MAX = 64 * 1024;
    private static final int LENGTH_DIGITS_MAX = 18;
    private static final Duration REST_MAX = Duration.ofSeconds(30);

    private final int status;
    private final boolean isOld;
    private final List<Field> fields = new ArrayList<>();
    private final Framing framing;
    private final long length;

    private AnswerHead(WireSocket socket, String statusLine, int budget) throws IOException {
        this.status = status(statusLine);
        this.isOld = statusLine.startsWith("HTTP/1.0");
        readFields(socket, budget);
        boolean bodiless = status < 200 || status == 204 || status == 304;
        boolean chunked = !bodiless && isChunked();
        length = bodiless ? 0 : announced();
        if (bodiless) {
            framing = Framing.LENGTH;
        } else if (chunked) {
            framing = Framing.CHUNKS;
        } else {
            framing = length < 0 ? Framing.CLOSE : Framing.LENGTH;
        }
    }

    /** Reads the head of an answer, past those that only say that it will come. */
    static AnswerHead read(WireSocket socket) throws IOException {
        int budget = HEAD_BYTES_MAX;
        while (true) {
            AnswerHead head = new AnswerHead(socket, firstLine(socket, budget), budget);
            if (head.status >= 200) {
                return head;
            }
            if (head.status == 101) {
                throw new IOException("It wants to speak another protocol");
            }
            budget -= head.size();
        }
    }

    private static String firstLine(WireSocket socket, int budget) throws IOException {
        try {
            return socket.line(budget);
        } catch (EOFException e) {
            throw new IOException("It closed the connection without an answer", e);
        }
    }

    /** What it took of the room for all heads; more than its bytes, so that each takes some. */
    private int size() {
        int size = 64;
        for (Field field : fields) {
            size += field.name.length() + field.value.length() + 4;
        }
        return size;
    }

    int status() {
        return status;
    }

    Framing framing() {
        return framing;
    }

    /** The length of the body where that is what frames it. */
    long length() {
        return length;
    }

    /** The first header of that name; null if there is none. */
    @Nullable String header(String name) {
        for (Field field : fields) {
            if (field.name.equalsIgnoreCase(name)) {
                return field.value;
            }
        }
        return null;
    }

    /** For how long the connection may be used again; zero if it may not. */
    Duration rest() {
        boolean once =
                isOld
                        || framing == Framing.CLOSE
                        || (framing == Framing.CHUNKS && header("Content-Length") != null)
                        || all("Connection").toLowerCase(Locale.ROOT).contains("close");
        if (once) {
            return Duration.ZERO;
        }
        String kept = header("Keep-Alive");
        int seconds = kept == null ? -1 : seconds(kept);
        // A second earlier than the server: it must not hang up while we send.
        return seconds < 0 || seconds > REST_MAX.toSeconds()
                ? REST_MAX
                : Duration.ofSeconds(Math.max(0, seconds - 1));
    }

    private static int seconds(String keepAlive) {
        for (String part : keepAlive.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            boolean told = pair.length == 2 && pair[0].equalsIgnoreCase("timeout");
            if (told && !pair[1].isEmpty() && pair[1].length() < 9 && isNumber(pair[1])) {
                return Integer.parseInt(pair[1]);
            }
        }
        return -1;
    }

    private static int status(String line) throws IOException {
        boolean right =
                (line.startsWith("HTTP/1.1 ") || line.startsWith("HTTP/1.0 "))
                        && line.length() >= 12
                        && isNumber(line.substring(9, 12))
                        && line.charAt(9) != '0'
                        && (line.length() == 12 || line.charAt(12) == ' ');
        if (!right) {
            String begin = Snippet.of(line.getBytes(StandardCharsets.UTF_8));
            throw new IOException("Its answer is not HTTP/1.1: " + begin);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private void readFields(WireSocket socket, int budget) throws IOException {
        int left = budget;
        for (String line = socket.line(left); !line.isEmpty(); line = socket.line(left)) {
            left -= line.length() + 2;
            if (left < 0) {
                throw new IOException("The head of its answer is too long");
            }
            char first = line.charAt(0);
            if (first == ' ' || first == '\t') {
                unfold(line);
            } else {
                add(line);
            }
        }
    }

    /** A line that goes on with the header before it. */
    private void unfold(String line) throws IOException {
        if (fields.isEmpty()) {
            throw broken();
        }
        Field before = fields.removeLast();
        fields.add(new Field(before.name, before.value + " " + line.strip()));
    }

    private void add(String line) throws IOException {
        int colon = line.indexOf(':');
        if (colon <= 0 || line.charAt(colon - 1) == ' ' || line.indexOf('\0') >= 0) {
            throw broken();
        }
        fields.add(new Field(line.substring(0, colon), line.substring(colon + 1).strip()));
    }

    private static IOException broken() {
        return new IOException("A header of its answer is broken");
    }

    private boolean isChunked() throws IOException {
        if (header("Transfer-Encoding") == null) {
            return false;
        }
        if (!all("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            throw new IOException("Its answer has a transfer encoding that is not known");
        }
        return true;
    }

    /** The length that is announced; negative if none is. One that is said twice must be one. */
    private long announced() throws IOException {
        if (header("Content-Length") == null) {
            return -1;
        }
        String[] values = all("Content-Length").split(",", -1);
        String first = values[0].strip();
        for (String value : values) {
            if (!value.strip().equals(first)) {
                throw new IOException("Its answer has two lengths");
            }
        }
        if (first.isEmpty() || first.length() > LENGTH_DIGITS_MAX || !isNumber(first)) {
            throw new IOException("The length of its answer is none");
        }
        return Long.parseLong(first);
    }

    /** The values of all headers of that name, as one. */
    private String all(String name) {
        var all = new StringJoiner(",");
        for (Field field : fields) {
            if (field.name.equalsIgnoreCase(name)) {
                all.add(field.value);
            }
        }
        return all.toString();
    }

    private static boolean isNumber(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
