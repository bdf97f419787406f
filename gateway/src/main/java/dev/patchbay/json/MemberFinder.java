package dev.patchbay.json;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Looks for members of the outermost object in a text that cannot be read as a whole: too long to
 * keep, too deep to accept. It takes the bytes as they come, keeps only what it looks for, and does
 * not mind what is wrong with the rest.
 */
public final class MemberFinder {
    private static final int VALUE_BYTES_MAX = 64 * 1024;
    private static final int NAME_BYTES_MAX = 64;

    private final Set<String> wanted;
    private final Map<String, Json> found = new HashMap<>();
    private final Set<String> seen = new HashSet<>();
    private byte[] kept = {};
    private int keptLength;
    private int keptMax;
    private boolean keeping;
    private int depth;
    private boolean inString;
    private boolean escaped;
    private boolean atName;
    private String name = "";

    public MemberFinder(Set<String> wanted) {
        this.wanted = Set.copyOf(wanted);
    }

    /** Takes the next bytes of the text. */
    public void accept(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            if (inString && !keeping && !escaped) {
                at = Bytes.plainEnd(bytes, at, to);
                if (at == to) {
                    return;
                }
            }
            byte c = bytes[at++];
            if (inString) {
                inside(c);
            } else {
                outside(c);
            }
        }
    }

    /** Whether the outermost object has a member of that name, of those looked for. */
    public boolean has(String name) {
        return seen.contains(name);
    }

    /** The value of a member; null if it was not seen, seen twice, too long, or a container. */
    public @Nullable Json value(String name) {
        return found.get(name);
    }

    private void inside(byte c) {
        keep(c);
        if (escaped) {
            escaped = false;
        } else if (c == '\\') {
            escaped = true;
        } else if (c == '"') {
            inString = false;
            if (atName && keeping) {
                endName();
            }
        }
    }

    private void outside(byte c) {
        switch (c) {
            case '"' -> {
                inString = true;
                if (depth == 1 && atName) {
                    startKeeping(NAME_BYTES_MAX);
                }
                keep(c);
            }
            case '{', '[' -> {
                keeping = false;
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
                if (!Bytes.isSpace(c)) {
                    keep(c);
                }
            }
        }
    }

    private void endName() {
        keeping = false;
        Json read = keptValue();
        name = read == null || !read.isString() ? "" : read.text();
    }

    private void startValue() {
        if (wanted.contains(name)) {
            if (seen.add(name)) {
                startKeeping(VALUE_BYTES_MAX);
            } else {
                found.remove(name);
            }
        }
    }

    private void endValue() {
        if (depth == 1 && keeping && !atName) {
            Json read = keptValue();
            if (read != null) {
                found.put(name, read);
            }
        }
        keeping = false;
    }

    private void startKeeping(int bytesMax) {
        keeping = true;
        keptLength = 0;
        keptMax = bytesMax;
    }

    private void keep(byte c) {
        if (!keeping) {
            return;
        }
        if (keptLength == keptMax) {
            keeping = false;
        } else {
            if (keptLength == kept.length) {
                kept = Arrays.copyOf(kept, Math.clamp(2L * keptLength, NAME_BYTES_MAX, keptMax));
            }
            kept[keptLength++] = c;
        }
    }

    private @Nullable Json keptValue() {
        try {
            return Json.parse(Arrays.copyOf(kept, keptLength));
        } catch (JsonException _) {
            return null;
        }
    }
}
