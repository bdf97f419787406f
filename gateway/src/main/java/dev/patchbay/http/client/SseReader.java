package dev.patchbay.http.client;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads server-sent events, each up to a limit. Lines may end in CR, LF or both. */
final class SseReader {
    /**
     * One event.
     *
     * @param name its type; {@code message} if it has none
     * @param data its data lines; empty if it has none
     */
    record Event(String name, Data data) {
        boolean isMessage() {
            return name.equals("message") && data.length() > 0;
        }
    }

    /** Immutable bytes. */
    static final class Data {
        private final byte[] bytes;

        Data(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }

        int length() {
            return bytes.length;
        }

        @Override
        public String toString() {
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    /** An event, or one of its lines, exceeds the limit. */
    static final class EventTooLongException extends IOException {
        private static final long serialVersionUID = 1L;

        EventTooLongException(int bytesMax) {
            super("An event of more than %,d bytes".formatted(bytesMax));
        }
    }

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int ID_CHARS_MAX = 1_024;

    private final InputStream in;
    private final int eventBytesMax;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private int position;
    private int end;
    private boolean isAfterCarriageReturn;
    private boolean isFirstLineRead;

    private byte[] line = new byte[256];
    private int lineLength;
    private byte[] data = new byte[0];
    private int dataLength;
    private boolean hasData;
    private String name = "";

    /** The id that is valid after the end of this event. */
    private @Nullable String pendingId;

    private @Nullable String lastId;
    private long retryMillis = -1;

    SseReader(InputStream in, int eventBytesMax) {
        this.in = in;
        this.eventBytesMax = eventBytesMax;
    }

    /** The id of the last complete event; null if there is none. */
    @Nullable String lastId() {
        return lastId;
    }

    /** The reconnection time; negative if the server did not send one. */
    long retryMillis() {
        return retryMillis;
    }

    /** The next event; null at the end. An incomplete event is dropped. */
    @Nullable Event next() throws IOException {
        while (readLine()) {
            if (lineLength == 0) {
                lastId = pendingId;
                if (hasData || !name.isEmpty()) {
                    return takeEvent();
                }
            } else {
                readField();
            }
        }
        return null;
    }

    private Event takeEvent() {
        var event =
                new Event(
                        name.isEmpty() ? "message" : name,
                        new Data(Arrays.copyOf(data, dataLength)));
        data = new byte[0];
        dataLength = 0;
        hasData = false;
        name = "";
        return event;
    }

    private void readField() throws IOException {
        int colon = 0;
        while (colon < lineLength && line[colon] != ':') {
            colon++;
        }
        if (colon == 0) {
            return; // a comment
        }
        int value = colon + 1;
        if (value < lineLength && line[value] == ' ') {
            value++;
        }
        int from = Math.min(value, lineLength);
        switch (text(0, colon)) {
            case "data" -> addData(from);
            case "event" -> name = text(from, lineLength);
            case "id" -> readId(text(from, lineLength));
            case "retry" -> readRetry(text(from, lineLength));
            default -> {
                // Other fields are ignored.
            }
        }
    }

    private void addData(int from) throws IOException {
        int needed = dataLength + (hasData ? 1 : 0) + lineLength - from;
        if (needed > eventBytesMax) {
            throw new EventTooLongException(eventBytesMax);
        }
        if (needed > data.length) {
            data = Arrays.copyOf(data, (int) Math.min(eventBytesMax, needed * 3L / 2));
        }
        if (hasData) {
            data[dataLength++] = '\n';
        }
        System.arraycopy(line, from, data, dataLength, lineLength - from);
        dataLength = needed;
        hasData = true;
    }

    private void readId(String id) {
        if (id.indexOf('\0') < 0 && id.length() <= ID_CHARS_MAX) {
            pendingId = id;
        }
    }

    private void readRetry(String digits) {
        boolean number = !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9');
        if (number) {
            retryMillis = digits.length() > 15 ? Long.MAX_VALUE : Long.parseLong(digits);
        }
    }

    private String text(int from, int to) {
        return new String(line, from, to - from, StandardCharsets.UTF_8);
    }

    /** Reads one line without its end; returns false at the end of the stream. */
    private boolean readLine() throws IOException {
        lineLength = 0;
        while (true) {
            if (position == end && !fill()) {
                return false;
            }
            byte c = chunk[position++];
            if (isAfterCarriageReturn) {
                isAfterCarriageReturn = false;
                if (c == '\n') {
                    continue;
                }
            }
            if (c == '\n' || c == '\r') {
                isAfterCarriageReturn = c == '\r';
                dropByteOrderMark();
                return true;
            }
            append(c);
        }
    }

    private boolean fill() throws IOException {
        int count = in.read(chunk);
        position = 0;
        end = Math.max(0, count);
        return count >= 0;
    }

    private void append(byte c) throws IOException {
        if (lineLength == line.length) {
            // The field name and its colon are in addition to the data.
            if (lineLength >= eventBytesMax + 16) {
                throw new EventTooLongException(eventBytesMax);
            }
            line = Arrays.copyOf(line, (int) Math.min(eventBytesMax + 16L, line.length * 2L));
        }
        line[lineLength++] = c;
    }

    /** Drops a byte order mark before the first line. */
    private void dropByteOrderMark() {
        if (!isFirstLineRead
                && lineLength >= 3
                && line[0] == (byte) 0xEF
                && line[1] == (byte) 0xBB
                && line[2] == (byte) 0xBF) {
            lineLength -= 3;
            System.arraycopy(line, 3, line, 0, lineLength);
        }
        isFirstLineRead = true;
    }
}
