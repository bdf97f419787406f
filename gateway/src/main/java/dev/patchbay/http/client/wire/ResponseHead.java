package dev.patchbay.http.client.wire;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** The status line and the headers of a response. */
final class ResponseHead {
    /** How the end of a body is determined. */
    enum Framing {
        /** By its length. */
        LENGTH,
        /** By the last chunk. */
        CHUNKED,
        /** By the end of the connection. */
        UNTIL_CLOSE
    }

    private record Field(String name, String value) {}

    private static final int HEAD_BYTES_MAX = 64 * 1024;
    private static final int LENGTH_DIGITS_MAX = 18;
    private static final Duration IDLE_TIME_MAX = Duration.ofSeconds(30);

    private final int status;
    private final boolean isHttp10;
    private final List<Field> fields = new ArrayList<>();
    private final Framing framing;
    private final long length;

    private ResponseHead(HttpConnection socket, String statusLine, int budget) throws IOException {
        this.status = status(statusLine);
        this.isHttp10 = statusLine.startsWith("HTTP/1.0");
        readFields(socket, budget);
        boolean bodiless = status < 200 || status == 204 || status == 304;
        boolean chunked = !bodiless && isChunked();
        length = bodiless ? 0 : announcedLength();
        if (bodiless) {
            framing = Framing.LENGTH;
        } else if (chunked) {
            framing = Framing.CHUNKED;
        } else {
            framing = length < 0 ? Framing.UNTIL_CLOSE : Framing.LENGTH;
        }
    }

    /** Reads the head of a response, after any informational responses. */
    static ResponseHead read(HttpConnection socket) throws IOException {
        int budget = HEAD_BYTES_MAX;
        while (true) {
            ResponseHead head = new ResponseHead(socket, readStatusLine(socket, budget), budget);
            if (head.status >= 200) {
                return head;
            }
            if (head.status == 101) {
                throw new IOException("the server switches to another protocol");
            }
            budget -= head.accountedBytes();
        }
    }

    private static String readStatusLine(HttpConnection socket, int budget) throws IOException {
        try {
            return socket.readLine(budget);
        } catch (EOFException e) {
            throw new IOException("the connection was closed without a response", e);
        }
    }

    /** The number of bytes to count against the limit of all heads. */
    private int accountedBytes() {
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

    /** The length of the body, if that delimits it. */
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

    /** How long the connection may be reused; zero if it may not. */
    Duration reusableFor() {
        boolean once =
                isHttp10
                        || framing == Framing.UNTIL_CLOSE
                        || (framing == Framing.CHUNKED && header("Content-Length") != null)
                        || joinedHeader("Connection").toLowerCase(Locale.ROOT).contains("close");
        if (once) {
            return Duration.ZERO;
        }
        String kept = header("Keep-Alive");
        int seconds = kept == null ? -1 : keepAliveSeconds(kept);
        // One second earlier than the server, which must not close while a request is sent.
        return seconds < 0 || seconds > IDLE_TIME_MAX.toSeconds()
                ? IDLE_TIME_MAX
                : Duration.ofSeconds(Math.max(0, seconds - 1));
    }

    private static int keepAliveSeconds(String keepAlive) {
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
            String begin = DisplayText.message(line);
            throw new IOException("the response is not HTTP/1.1: " + begin);
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private void readFields(HttpConnection socket, int budget) throws IOException {
        int left = budget;
        for (String line = socket.readLine(left); !line.isEmpty(); line = socket.readLine(left)) {
            left -= line.length() + 2;
            if (left < 0) {
                throw new IOException("the header of the response is too long");
            }
            char first = line.charAt(0);
            if (first == ' ' || first == '\t') {
                appendFolded(line);
            } else {
                addField(line);
            }
        }
    }

    /** A line that continues the previous header. */
    private void appendFolded(String line) throws IOException {
        if (fields.isEmpty()) {
            throw badHeader();
        }
        Field before = fields.removeLast();
        fields.add(new Field(before.name, before.value + " " + line.strip()));
    }

    private void addField(String line) throws IOException {
        int colon = line.indexOf(':');
        if (colon <= 0 || line.charAt(colon - 1) == ' ' || line.indexOf('\0') >= 0) {
            throw badHeader();
        }
        fields.add(new Field(line.substring(0, colon), line.substring(colon + 1).strip()));
    }

    private static IOException badHeader() {
        return new IOException("a header of the response is malformed");
    }

    private boolean isChunked() throws IOException {
        if (header("Transfer-Encoding") == null) {
            return false;
        }
        if (!joinedHeader("Transfer-Encoding").equalsIgnoreCase("chunked")) {
            throw new IOException("the response has an unknown transfer encoding");
        }
        return true;
    }

    /** The announced length; negative if there is none. Duplicates must be equal. */
    private long announcedLength() throws IOException {
        if (header("Content-Length") == null) {
            return -1;
        }
        String[] values = joinedHeader("Content-Length").split(",", -1);
        String first = values[0].strip();
        for (String value : values) {
            if (!value.strip().equals(first)) {
                throw new IOException("the response has two Content-Length values");
            }
        }
        if (first.isEmpty() || first.length() > LENGTH_DIGITS_MAX || !isNumber(first)) {
            throw new IOException("the Content-Length of the response is not a number");
        }
        return Long.parseLong(first);
    }

    /** The values of all headers with this name, joined. */
    String joinedHeader(String name) {
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
