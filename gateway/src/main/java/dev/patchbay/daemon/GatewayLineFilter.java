package dev.patchbay.daemon;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.RequestId;

/** Records the lines of one gateway, and says which of them are for the client. */
final class GatewayLineFilter {
    /** Longer lines are not read as a whole: the daemon has done that. */
    private static final int DECODED_BYTES_MAX = 16 * 1024;

    /** A daemon writes the id of an answer before its result. */
    private static final int ENVELOPE_BYTES = 1024;

    private final SessionRecord record;
    private final int link;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);

    GatewayLineFilter(SessionRecord record, int link) {
        this.record = record;
        this.link = link;
    }

    boolean isForClient(byte[] bytes, int length) {
        if (length > DECODED_BYTES_MAX) {
            MemberFinder finder = Decoder.envelopeFinder();
            finder.accept(bytes, 0, ENVELOPE_BYTES);
            Json written = finder.value("id");
            RequestId id = written == null ? null : RequestId.of(written);
            if (id != null && finder.has("result") && !record.needsResult(id)) {
                return record.onAnswer(id, Json.EMPTY_OBJECT, link);
            }
        }
        return record.onGatewayFrame(decoder.decode(bytes, 0, length), link);
    }
}
