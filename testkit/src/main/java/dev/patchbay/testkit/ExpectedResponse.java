package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What must come back for one line sent, as the {@link LineOracle} says. */
public sealed interface ExpectedResponse {
    /**
     * In the codes of an {@link SingleResponse}: any error will do, as a server may choose its own.
     */
    int ANY_ERROR = 0;

    /** Nothing may come back. */
    record NoResponse() implements ExpectedResponse {}

    /**
     * One answer must come back.
     *
     * @param ids the ids it may carry, as raw JSON
     * @param codes the error codes it may carry; none if it must be a result
     * @param mayBeResult whether it may be a result
     * @param mayBeAbsent whether nothing at all is right too
     */
    record SingleResponse(
            Set<String> ids, Set<Integer> codes, boolean mayBeResult, boolean mayBeAbsent)
            implements ExpectedResponse {
        public SingleResponse {
            ids = Set.copyOf(ids);
            codes = Set.copyOf(codes);
        }
    }

    /**
     * One array of answers must come back, in any order.
     *
     * @param items what is expected for each element that must be answered
     * @param mayBeRejected whether one -32600 with a null id for the whole is right too
     */
    record BatchResponse(List<SingleResponse> items, boolean mayBeRejected)
            implements ExpectedResponse {
        public BatchResponse {
            items = List.copyOf(items);
        }
    }

    /**
     * What is wrong with the messages that came back for the line, or nothing if they are right.
     */
    default Optional<String> mismatch(List<JsonTree> received) {
        return switch (this) {
            case NoResponse() ->
                    received.isEmpty()
                            ? Optional.empty()
                            : Optional.of("Expected silence, got " + received);
            case SingleResponse answer -> singleMismatch(answer, received);
            case BatchResponse batch -> batchMismatch(batch, received);
        };
    }

    private static Optional<String> singleMismatch(SingleResponse answer, List<JsonTree> received) {
        if (received.isEmpty() && answer.mayBeAbsent()) {
            return Optional.empty();
        }
        if (received.size() != 1) {
            return Optional.of("Expected " + answer + ", got " + received);
        }
        return responseMismatch(answer, received.get(0));
    }

    private static Optional<String> batchMismatch(BatchResponse batch, List<JsonTree> received) {
        if (received.size() != 1) {
            return Optional.of("Expected one array for a batch, got " + received);
        }
        if (!(received.get(0) instanceof JsonTree.Arr array)) {
            var whole = new SingleResponse(Set.of("null"), Set.of(-32600), false, false);
            return batch.mayBeRejected()
                    ? responseMismatch(whole, received.get(0))
                    : Optional.of("Expected an array, got " + received);
        }
        var left = new ArrayList<>(array.items());
        for (SingleResponse item : batch.items()) {
            if (!left.removeIf(new SingleUseMatcher(item)::matches) && !item.mayBeAbsent()) {
                return Optional.of("No element of " + array + " is " + item);
            }
        }
        return left.isEmpty() ? Optional.empty() : Optional.of("Answers to nothing: " + left);
    }

    /** Fits the first message that answers as expected, and no other. */
    final class SingleUseMatcher {
        private final SingleResponse answer;
        private boolean used;

        SingleUseMatcher(SingleResponse answer) {
            this.answer = answer;
        }

        boolean matches(JsonTree message) {
            boolean fits = !used && responseMismatch(answer, message).isEmpty();
            used = used || fits;
            return fits;
        }
    }

    private static Optional<String> responseMismatch(SingleResponse answer, JsonTree message) {
        Optional<String> shape = envelopeError(message);
        if (shape.isPresent()) {
            return shape;
        }
        JsonTree id = message.at("id");
        boolean known = answer.ids().stream().anyMatch(raw -> StrictJson.parse(raw).equals(id));
        if (!known) {
            return Optional.of("Expected id " + answer.ids() + ", got " + message);
        }
        if (message.has("result")) {
            return answer.mayBeResult()
                    ? Optional.empty()
                    : Optional.of("Expected " + describeCodes(answer) + ", got " + message);
        }
        int code = (int) message.at("error", "code").asLong();
        boolean allowed = answer.codes().contains(code) || answer.codes().contains(ANY_ERROR);
        return allowed
                ? Optional.empty()
                : Optional.of("Expected " + describeCodes(answer) + ", got " + message);
    }

    /** What makes a message no JSON-RPC response, or nothing. */
    static Optional<String> envelopeError(JsonTree message) {
        if (!message.member("jsonrpc").equals(Optional.of(new JsonTree.Str("2.0")))) {
            return Optional.of("No jsonrpc 2.0 in " + message);
        }
        if (!message.has("id")) {
            return Optional.of("No id in " + message);
        }
        if (message.has("result") == message.has("error")) {
            return Optional.of("Not exactly one of result and error in " + message);
        }
        if (message.has("method")) {
            return Optional.of("A method in the response " + message);
        }
        if (message.has("result")) {
            return message.at("result") instanceof JsonTree.Obj
                    ? Optional.empty()
                    : Optional.of("The result is no object in " + message);
        }
        JsonTree code = message.findAt("error", "code").orElse(JsonTree.Literal.NULL);
        JsonTree text = message.findAt("error", "message").orElse(JsonTree.Literal.NULL);
        boolean integer = code instanceof JsonTree.Num n && n.lexeme().matches("-?[0-9]{1,9}");
        boolean said = text instanceof JsonTree.Str s && !s.value().isEmpty();
        return integer && said
                ? Optional.empty()
                : Optional.of("The error has no integer code or no message in " + message);
    }

    private static String describeCodes(SingleResponse answer) {
        String codes = "one of the errors " + new TreeSet<>(answer.codes());
        return answer.mayBeResult() ? "a result or " + codes : codes;
    }
}
