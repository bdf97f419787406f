package dev.patchbay.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What must come back for one line sent, as the {@link LineOracle} says. */
public sealed interface Expectation {
    /** In the codes of an {@link Answer}: any error will do, as a server may choose its own. */
    int ANY_ERROR = 0;

    /** Nothing may come back. */
    record Silence() implements Expectation {}

    /**
     * One answer must come back.
     *
     * @param ids the ids it may carry, as raw JSON
     * @param codes the error codes it may carry; none if it must be a result
     * @param result whether it may be a result
     * @param silence whether nothing at all is right too
     */
    record Answer(Set<String> ids, Set<Integer> codes, boolean result, boolean silence)
            implements Expectation {
        public Answer {
            ids = Set.copyOf(ids);
            codes = Set.copyOf(codes);
        }
    }

    /**
     * One array of answers must come back, in any order.
     *
     * @param items what is expected for each element that must be answered
     * @param refusal whether one -32600 with a null id for the whole is right too
     */
    record Batch(List<Answer> items, boolean refusal) implements Expectation {
        public Batch {
            items = List.copyOf(items);
        }
    }

    /**
     * What is wrong with the messages that came back for the line, or nothing if they are right.
     */
    default Optional<String> complaint(List<JsonTree> received) {
        return switch (this) {
            case Silence() ->
                    received.isEmpty()
                            ? Optional.empty()
                            : Optional.of("Expected silence, got " + received);
            case Answer answer -> single(answer, received);
            case Batch batch -> array(batch, received);
        };
    }

    private static Optional<String> single(Answer answer, List<JsonTree> received) {
        if (received.isEmpty() && answer.silence()) {
            return Optional.empty();
        }
        if (received.size() != 1) {
            return Optional.of("Expected " + answer + ", got " + received);
        }
        return fault(answer, received.get(0));
    }

    private static Optional<String> array(Batch batch, List<JsonTree> received) {
        if (received.size() != 1) {
            return Optional.of("Expected one array for a batch, got " + received);
        }
        if (!(received.get(0) instanceof JsonTree.Arr array)) {
            var whole = new Answer(Set.of("null"), Set.of(-32600), false, false);
            return batch.refusal()
                    ? fault(whole, received.get(0))
                    : Optional.of("Expected an array, got " + received);
        }
        var left = new ArrayList<>(array.items());
        for (Answer item : batch.items()) {
            if (!left.removeIf(new Once(item)::fits) && !item.silence()) {
                return Optional.of("No element of " + array + " is " + item);
            }
        }
        return left.isEmpty() ? Optional.empty() : Optional.of("Answers to nothing: " + left);
    }

    /** Fits the first message that answers as expected, and no other. */
    final class Once {
        private final Answer answer;
        private boolean used;

        Once(Answer answer) {
            this.answer = answer;
        }

        boolean fits(JsonTree message) {
            boolean fits = !used && fault(answer, message).isEmpty();
            used = used || fits;
            return fits;
        }
    }

    private static Optional<String> fault(Answer answer, JsonTree message) {
        Optional<String> shape = shapeFault(message);
        if (shape.isPresent()) {
            return shape;
        }
        JsonTree id = message.at("id");
        boolean known = answer.ids().stream().anyMatch(raw -> StrictJson.parse(raw).equals(id));
        if (!known) {
            return Optional.of("Expected id " + answer.ids() + ", got " + message);
        }
        if (message.has("result")) {
            return answer.result()
                    ? Optional.empty()
                    : Optional.of("Expected " + codes(answer) + ", got " + message);
        }
        int code = (int) message.at("error", "code").integer();
        boolean allowed = answer.codes().contains(code) || answer.codes().contains(ANY_ERROR);
        return allowed
                ? Optional.empty()
                : Optional.of("Expected " + codes(answer) + ", got " + message);
    }

    /** What makes a message no JSON-RPC response, or nothing. */
    static Optional<String> shapeFault(JsonTree message) {
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
        JsonTree code = message.find("error", "code").orElse(JsonTree.Literal.NULL);
        JsonTree text = message.find("error", "message").orElse(JsonTree.Literal.NULL);
        boolean integer = code instanceof JsonTree.Num n && n.lexeme().matches("-?[0-9]{1,9}");
        boolean said = text instanceof JsonTree.Str s && !s.value().isEmpty();
        return integer && said
                ? Optional.empty()
                : Optional.of("The error has no integer code or no message in " + message);
    }

    private static String codes(Answer answer) {
        String codes = "one of the errors " + new TreeSet<>(answer.codes());
        return answer.result() ? "a result or " + codes : codes;
    }
}
