package dev.patchbay.http.client;

import dev.patchbay.http.AcceptHeader;
import dev.patchbay.http.client.wire.HttpSender;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.jsonrpc.RpcError;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;

/** Interprets HTTP responses of servers. */
final class ResponseInspector {
    private static final int ERROR_BODY_BYTES_MAX = 64 * 1024;
    private static final Pattern UNKNOWN_SESSION_TEXT =
            Pattern.compile(
                    "session[ -]?id|session (was |is )?(not found|unknown|invalid|expired)"
                            + "|(unknown|invalid|expired|missing|no|no valid) session"
                            + "|server (is )?not initialized",
                    Pattern.CASE_INSENSITIVE);

    private ResponseInspector() {}

    /** The media type, without parameters and in lower case; empty if there is none. */
    static String mediaType(HttpSender.Response answer) {
        String header = answer.header("Content-Type");
        if (header == null) {
            return "";
        }
        int end = header.indexOf(';');
        return (end < 0 ? header : header.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    /** Rejects compressed responses, which the request does not accept. */
    static void checkEncoding(HttpSender.Response answer) throws IOException {
        String encoding = answer.header("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw new IOException("the response is compressed, although the request forbids it");
        }
    }

    /** The whole body, up to the limit. */
    static byte[] readBody(HttpSender.Response answer) throws IOException {
        InputStream in = answer.body();
        byte[] start = new byte[announcedLength(answer)];
        int length = in.readNBytes(start, 0, start.length);
        if (length < start.length) {
            return Arrays.copyOf(start, length);
        }
        byte[] rest = readRest(in, HttpChannel.BODY_BYTES_MAX + 1 - length);
        if (rest.length == 0) {
            return start;
        }
        if (length + rest.length > HttpChannel.BODY_BYTES_MAX) {
            throw new IOException(
                    "the response is larger than %,d bytes".formatted(HttpChannel.BODY_BYTES_MAX));
        }
        byte[] body = Arrays.copyOf(start, length + rest.length);
        System.arraycopy(rest, 0, body, length, rest.length);
        return body;
    }

    /** Reads the rest; allocates nothing if there is none. */
    private static byte[] readRest(InputStream in, int bytesMax) throws IOException {
        int next = in.read();
        if (next < 0) {
            return new byte[0];
        }
        byte[] more = in.readNBytes(bytesMax - 1);
        byte[] rest = new byte[more.length + 1];
        rest[0] = (byte) next;
        System.arraycopy(more, 0, rest, 1, more.length);
        return rest;
    }

    /** The announced length, if it is small enough to be plausible. */
    private static int announcedLength(HttpSender.Response answer) {
        String length = answer.header("Content-Length");
        boolean small =
                length != null
                        && !length.isEmpty()
                        && length.length() <= 5
                        && length.chars().allMatch(c -> c >= '0' && c <= '9');
        return small ? Integer.parseInt(length) : 0;
    }

    /** The start of the body of an error response. */
    static byte[] readErrorBody(HttpSender.Response answer) {
        try {
            return answer.body().readNBytes(ERROR_BODY_BYTES_MAX);
        } catch (IOException _) {
            return new byte[0];
        }
    }

    /** The JSON-RPC error in a body; null if there is none. Its id may be missing. */
    static @Nullable RpcError parseRpcError(byte[] body) {
        try {
            Json error = Json.parse(body).member("error");
            Json code = error == null ? null : error.member("code");
            String message = error == null ? null : error.memberText("message");
            long number = code == null ? Long.MIN_VALUE : code.asLong(Long.MIN_VALUE);
            if (error == null || message == null || number != (int) number) {
                return null;
            }
            return new RpcError((int) number, message, error.member("data"));
        } catch (JsonException _) {
            return null;
        }
    }

    static IOException unexpectedType(HttpSender.Response answer) {
        String type = mediaType(answer);
        String what = type.isEmpty() ? "without a content type" : "of type " + printable(type);
        return new IOException(
                "HTTP %d with a response %s instead of %s or %s: %s"
                        .formatted(
                                answer.status(),
                                what,
                                AcceptHeader.JSON,
                                AcceptHeader.EVENTS,
                                DisplayText.excerpt(readErrorBody(answer))));
    }

    /** Whether a status only says that the server does not work now. */
    static boolean isInconclusive(int status) {
        return status < 400
                || status >= 500
                || switch (status) {
                    case 401, 403, 407, 408, 425, 429 -> true;
                    default -> false;
                };
    }

    /** Whether a status may be temporary: from a proxy, or because the server is busy. */
    static boolean isTransient(int status) {
        return switch (status) {
            case 408, 425, 429 -> true;
            default -> status >= 500 && status != 501;
        };
    }

    /**
     * Whether a server says that it does not know the session. The status should be 404; many
     * restarted servers send 400 and say so in the text.
     */
    static boolean isUnknownSession(int status, byte[] body) {
        if (status != 400) {
            return status == 404;
        }
        RpcError error = parseRpcError(body);
        String words = error == null ? DisplayText.excerpt(body) : error.message();
        return UNKNOWN_SESSION_TEXT.matcher(words).find();
    }

    static String describe(HttpSender.Response answer, byte[] body) {
        String hint =
                switch (answer.status()) {
                    case 301, 302, 303, 307, 308 -> " (redirects are not followed)";
                    case 401 -> " (authorization required)";
                    case 403 -> " (access denied)";
                    case 429 -> " (too many requests)";
                    default -> "";
                };
        String snippet = DisplayText.excerpt(body);
        return "HTTP " + answer.status() + hint + (snippet.isEmpty() ? "" : ": " + snippet);
    }

    private static String printable(String type) {
        return DisplayText.message(type);
    }
}
