package dev.patchbay.conformance.wire;

import dev.patchbay.testkit.ClientMessages;
import dev.patchbay.testkit.JsonTree;
import dev.patchbay.testkit.StrictJson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the gateway was asked and has not answered yet, by the ids; the newest of very many. */
final class OpenRequests {
    private static final int IDS_MAX = 200_000;

    /** A longer line is read no further than its id and method, where they stand first. */
    private static final int PARSED_BYTES_MAX = 1_000_000;

    private static final int PREFIX_BYTES = 1_000;
    private static final Pattern REQUEST_PREFIX =
            Pattern.compile(
                    "\\{\"jsonrpc\":\"2.0\",\"id\":(\"[^\"\\\\]*\"|-?\\d+),"
                            + "\"method\":\"([^\"\\\\]*)\".*",
                    Pattern.DOTALL);
    private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

    private final Map<JsonTree, OpenId> byId = new BoundedMap();

    /** A request that the gateway was sent. */
    record SentRequest(String method, boolean modern) {}

    /** What was asked under one id since nothing was open under it. */
    private static final class OpenId {
        final Set<SentRequest> requests = new LinkedHashSet<>();
        int unanswered;
    }

    /** The newest ids. */
    private static final class BoundedMap extends LinkedHashMap<JsonTree, OpenId> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<JsonTree, OpenId> eldest) {
            return size() > IDS_MAX;
        }
    }

    /** Notes the requests of a line, and returns its messages, as far as they were read. */
    List<JsonTree> recordLine(byte[] line) {
        if (line.length > PARSED_BYTES_MAX) {
            recordPrefix(new String(line, 0, PREFIX_BYTES, StandardCharsets.ISO_8859_1));
            return List.of();
        }
        // A mark that some editors put before everything is no part of the message.
        boolean marked = Arrays.mismatch(line, BYTE_ORDER_MARK) == BYTE_ORDER_MARK.length;
        byte[] text = marked ? Arrays.copyOfRange(line, BYTE_ORDER_MARK.length, line.length) : line;
        JsonTree read = StrictJson.tryParse(text).orElse(JsonTree.Literal.NULL);
        List<JsonTree> messages =
                read instanceof JsonTree.Arr batch ? batch.items() : List.of(read);
        messages.forEach(this::recordIfRequest);
        return messages;
    }

    private void recordPrefix(String text) {
        Matcher found = REQUEST_PREFIX.matcher(text);
        if (found.matches()) {
            boolean claims = text.contains(ClientMessages.VERSION_KEY);
            record(StrictJson.parse(found.group(1)), new SentRequest(found.group(2), claims));
        }
    }

    private void recordIfRequest(JsonTree message) {
        if (message.has("id") && message.member("method").orElse(null) instanceof JsonTree.Str m) {
            record(message.at("id"), new SentRequest(m.value(), SchemaCheck.claimsModern(message)));
        }
    }

    private void record(JsonTree id, SentRequest request) {
        OpenId open = byId.computeIfAbsent(id, _ -> new OpenId());
        open.requests.add(request);
        open.unanswered++;
    }

    /** The requests of which an answer may be to one; all of them, while more are open. */
    Set<SentRequest> complete(JsonTree answer) {
        JsonTree id = answer.member("id").orElse(JsonTree.Literal.NULL);
        OpenId open = byId.get(id);
        if (open == null) {
            return Set.of();
        }
        open.unanswered--;
        if (open.unanswered == 0) {
            byId.remove(id);
        }
        return open.requests;
    }
}
