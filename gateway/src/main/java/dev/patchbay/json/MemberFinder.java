package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds members of the outermost object in a text that cannot be read as a whole because it is too
 * long or too deep. It processes the bytes as they arrive, keeps only the wanted members, and
 * ignores errors in the rest.
 */
public final class MemberFinder {
    private static final int VALUE_BYTES_MAX = 64 * 1024;
    private static final int NAME_BYTES_MAX = 64;

    private final Set<String> wanted;
    private final Map<String, Json> found = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private byte[] buffer = {};
    private int bufferLength;
    private int bufferMax;
    private boolean capturing;
    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean atName;
    private String name = "";

    public MemberFinder(Set<String> wanted) {
        this.wanted = Set.copyOf(wanted);
    }

    /** Processes the next bytes of the text. */
    public void accept(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (inString && !capturing && !escaped) {
                at = ByteScanner.plainEnd(bytes, at, to);
                if (at == to) {
                    return;
                }
            }
            byte c = bytes[at++];
            if (inString) {
                acceptInsideString(c);
            } else {
                acceptOutsideString(c);
            }
        }
    }

    /** Whether the outermost object has this member, if it was wanted. */
    public boolean has(String name) {
        return seen.contains(name);
    }

    /** The value of a member; null if it is absent, duplicated, too long, or a container. */
    public @Nullable Json value(String name) {
        return found.get(name);
    }

    private void acceptInsideString(byte c) {
        capture(c);
        if (escaped) {
            escaped = false;
        } else if (c == '\\') {
            escaped = true;
        } else if (c == '"') {
            inString = false;
            if (atName && capturing) {
                endName();
            }
        }
    }

    private void acceptOutsideString(byte c) {
        switch (c) {
            case '"' -> {
                inString = true;
                if (depth == 1 && atName) {
                    startCapture(NAME_BYTES_MAX);
                }
                capture(c);
            }
            case '{', '[' -> {
                capturing = false;
                depth++;
                atName = depth == 1 && c == '{';
            }
            case '}', ']' -> {
                endValue();
                depth--;
            }
            case ',' -> {
                endValue();
                atName = depth == 1;
            }
            case ':' -> {
                if (depth == 1 && atName) {
                    atName = false;
                    startValue();
                }
            }
            default -> {
                if (!ByteScanner.isSpace(c)) {
                    capture(c);
                }
            }
        }
    }

    private void endName() {
        capturing = false;
        Json read = capturedValue();
        name = read == null || !read.isString() ? "" : read.text();
    }

    private void startValue() {
        if (wanted.contains(name)) {
            if (seen.add(name)) {
                startCapture(VALUE_BYTES_MAX);
            } else {
                found.remove(name);
            }
        }
    }

    private void endValue() {
        if (depth == 1 && capturing && !atName) {
            Json read = capturedValue();
            if (read != null) {
                found.put(name, read);
            }
        }
        capturing = false;
    }

    private void startCapture(int bytesMax) {
        capturing = true;
        bufferLength = 0;
        bufferMax = bytesMax;
    }

    private void capture(byte c) {
        if (!capturing) {
            return;
        }
        if (bufferLength == bufferMax) {
            capturing = false;
        } else {
            if (bufferLength == buffer.length) {
                buffer =
                        Arrays.copyOf(
                                buffer, Math.clamp(2L * bufferLength, NAME_BYTES_MAX, bufferMax));
            }
            buffer[bufferLength++] = c;
        }
    }

    private @Nullable Json capturedValue() {
        try {
            return Json.parse(Arrays.copyOf(buffer, bufferLength));
        } catch (JsonException _) {
            return null;
        }
    }
}
