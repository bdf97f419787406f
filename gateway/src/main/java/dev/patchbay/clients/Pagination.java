package dev.patchbay.clients;

import static dev.patchbay.jsonrpc.RpcError.INVALID_PARAMS;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.RpcException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Supplier;

/**
 * Splits long lists into pages. Most lists fit into one message and are sent as the bytes they are
 * stored in.
 */
final class Pagination {
    /** Well below the line limits of clients. */
    private static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;

    private Pagination() {}

    /**
     * The result that lists the entries from the cursor on.
     *
     * @param whole the result that lists all of them
     */
    static Json page(String member, Json whole, Supplier<List<Json>> entries, Json params) {
        String cursor = params.memberText("cursor");
        if (cursor == null && whole.length() <= PAGE_BYTES_MAX) {
            return whole;
        }
        List<Json> all = entries.get();
        return pageFrom(member, all, parseCursor(cursor, all.size()));
    }

    private static Json pageFrom(String member, List<Json> entries, int from) {
        var writer = new JsonWriter().beginObject().name(member).beginArray();
        int at = from;
        long bytes = 0;
        while (at < entries.size()) {
            bytes += entries.get(at).length();
            if (bytes > PAGE_BYTES_MAX && at > from) {
                break;
            }
            writer.value(entries.get(at));
            at++;
        }
        writer.endArray();
        if (at < entries.size()) {
            writer.member("nextCursor", "at-" + at);
        }
        return writer.endObject().toJson();
    }

    private static int parseCursor(@Nullable String cursor, int size) {
        if (cursor == null) {
            return 0;
        }
        if (cursor.matches("at-[1-9][0-9]{0,8}")) {
            int offset = Integer.parseInt(cursor.substring(3));
            if (offset <= size) {
                return offset;
            }
        }
        throw new RpcException(INVALID_PARAMS, "Invalid params: unknown cursor");
    }
}
