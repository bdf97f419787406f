package dev.patchbay.testkit;

import dev.patchbay.testkit.ExpectedResponse.BatchResponse;
import dev.patchbay.testkit.ExpectedResponse.NoResponse;
import dev.patchbay.testkit.ExpectedResponse.SingleResponse;
import dev.patchbay.testkit.JsonTree.Member;
import dev.patchbay.testkit.JsonTree.Obj;
import dev.patchbay.testkit.MethodRules.AllowedResponse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says what must come back for one line sent to a serving MCP endpoint on stdio. Where the rules
 * leave a choice (two faults in one line, text beyond a limit), every right answer is allowed; the
 * number of answers is fixed almost always.
 */
public final class LineOracle {
    /** The longest message an endpoint must read. */
    public static final int LINE_BYTES_MAX = 10 << 20;

    /** The deepest message an endpoint must read; the outermost container counts as one. */
    public static final int DEPTH_MAX = 500;

    private static final int TREE_DEPTH_MAX = 2_000;
    private static final int NUMBER_CHARS_MAX = 1_000;
    private static final int NAME_CHARS_MAX = 50_000;
    private static final int TOKENS_MAX = 1_000_000;
    private static final int BATCH_ITEMS_MAX = 100;
    private static final String NULL = "null";
    private static final Set<Integer> INVALID = Set.of(-32600);
    private static final Set<Integer> UNPARSABLE = Set.of(-32700);
    private static final Set<Integer> INVALID_OR_UNPARSABLE = Set.of(-32600, -32700);

    private final boolean allowsBatches;
    private final MethodRules rules;

    private LineOracle(SessionState session, boolean batches, Set<String> tools) {
        this.allowsBatches = batches;
        this.rules = new MethodRules(session, Set.copyOf(tools));
    }

    /** How far the conversation is. */
    public enum SessionState {
        UNINITIALIZED,
        LEGACY,
        MODERN;

        boolean isInitialized() {
            return this == LEGACY;
        }
    }

    /**
     * The oracle of a legacy session with this version.
     *
     * @param tools every name by which a tool may be called there; all others are unknown
     */
    public static LineOracle legacy(String version, String... tools) {
        return new LineOracle(SessionState.LEGACY, version.equals("2025-03-26"), Set.of(tools));
    }

    /** The oracle of a conversation before initialize. */
    public static LineOracle uninitialized(String... tools) {
        return new LineOracle(SessionState.UNINITIALIZED, false, Set.of(tools));
    }

    /** The oracle of a conversation in which the client sends modern requests. */
    public static LineOracle modern(String... tools) {
        return new LineOracle(SessionState.MODERN, false, Set.of(tools));
    }

    /** What must come back for this line, given without its line feed. */
    public ExpectedResponse expect(byte[] line) {
        boolean tooLong = line.length > LINE_BYTES_MAX;
        Optional<String> text = Utf8Text.decode(line);
        if (text.isEmpty()) {
            return errorResponse(Set.of(NULL), tooLong ? INVALID_OR_UNPARSABLE : UNPARSABLE);
        }
        if (text.get().startsWith("\uFEFF")) {
            return expectAfterByteOrderMark(text.get().substring(1), tooLong);
        }
        return expect(text.get(), tooLong);
    }

    /** A byte order mark is an error or ignored, never a reason for silence about a request. */
    private ExpectedResponse expectAfterByteOrderMark(String rest, boolean tooLong) {
        if (isBlank(rest)) {
            return errorResponse(Set.of(NULL), UNPARSABLE);
        }
        return switch (expect(rest, tooLong)) {
            case NoResponse() -> new SingleResponse(Set.of(NULL), UNPARSABLE, false, true);
            case SingleResponse inner ->
                    new SingleResponse(
                            union(inner.ids(), Set.of(NULL)),
                            union(inner.codes(), UNPARSABLE),
                            inner.mayBeResult(),
                            inner.mayBeAbsent());
            case BatchResponse _ -> errorResponse(Set.of(NULL), UNPARSABLE);
        };
    }

    private ExpectedResponse expect(String text, boolean tooLong) {
        if (isBlank(text)) {
            return tooLong
                    ? new SingleResponse(Set.of(NULL), INVALID, false, true)
                    : new NoResponse();
        }
        var parser = new StrictJsonParser(text, TREE_DEPTH_MAX);
        try {
            JsonTree tree = parser.parseDocument();
            return expectMessage(tree, ParseFacts.of(parser, tooLong));
        } catch (StrictJsonException e) {
            ParseFacts facts = ParseFacts.of(parser, tooLong);
            if (!facts.mustBeRejected()) {
                return errorResponse(Set.of(NULL), UNPARSABLE);
            }
            // Two faults: a reader that stops at the first may name the other one, and the id.
            Set<String> seen =
                    parser.topId().filter(RequestIds::isLegal).isPresent()
                            ? Set.of(parser.topId().orElseThrow().write())
                            : Set.of();
            return new SingleResponse(
                    union(Set.of(NULL), seen), INVALID_OR_UNPARSABLE, false, false);
        }
    }

    /** What the text showed besides its value. */
    private record ParseFacts(
            boolean beyondLimit,
            boolean tooLong,
            boolean idBeyondLimit,
            boolean hasDuplicateName,
            boolean mayBeRejected) {
        static ParseFacts of(StrictJsonParser parser, boolean tooLong) {
            boolean longId =
                    parser.topId()
                            .map(id -> id.write().length() == parser.numberCharsMax())
                            .orElse(false);
            boolean extreme =
                    (parser.numberCharsMax() > NUMBER_CHARS_MAX && !longId)
                            || parser.nameCharsMax() > NAME_CHARS_MAX
                            || parser.tokens() > TOKENS_MAX;
            boolean beyond = tooLong || parser.depthMax() > DEPTH_MAX;
            boolean oddId = parser.topId().map(RequestIds::mayBeRejected).orElse(false);
            boolean odd = parser.hasLoneSurrogate() || extreme || oddId;
            boolean far = tooLong && parser.topIdPosition() >= LINE_BYTES_MAX;
            return new ParseFacts(beyond, tooLong, far, parser.duplicateName().isPresent(), odd);
        }

        boolean mustBeRejected() {
            return beyondLimit || hasDuplicateName;
        }
    }

    private ExpectedResponse expectMessage(JsonTree tree, ParseFacts facts) {
        if (tree instanceof JsonTree.Arr array && allowsBatches && !array.items().isEmpty()) {
            return expectBatch(array.items(), facts);
        }
        if (!(tree instanceof Obj object)) {
            return errorResponse(
                    Set.of(NULL), facts.mayBeRejected() ? INVALID_OR_UNPARSABLE : INVALID);
        }
        return orRejected(expectObject(object, facts), facts);
    }

    /** Lone surrogates, extreme sizes and odd ids may be refused, with or without the id. */
    private static ExpectedResponse orRejected(ExpectedResponse plain, ParseFacts facts) {
        if (!facts.mayBeRejected()) {
            return plain;
        }
        return switch (plain) {
            case NoResponse() ->
                    new SingleResponse(Set.of(NULL), INVALID_OR_UNPARSABLE, false, true);
            case SingleResponse answer ->
                    new SingleResponse(
                            union(answer.ids(), Set.of(NULL)),
                            union(answer.codes(), INVALID_OR_UNPARSABLE),
                            answer.mayBeResult(),
                            answer.mayBeAbsent());
            case BatchResponse batch -> batch;
        };
    }

    private ExpectedResponse expectObject(Obj message, ParseFacts facts) {
        boolean called = message.has("method");
        if (!called && (message.has("result") || message.has("error"))) {
            return facts.tooLong()
                    ? new SingleResponse(Set.of(NULL), INVALID, false, true)
                    : new NoResponse();
        }
        List<JsonTree> ids = idsOf(message);
        JsonTree version = message.member("jsonrpc").orElse(JsonTree.Literal.NULL);
        boolean versioned = version.equals(new JsonTree.Str("2.0"));
        JsonTree method = message.member("method").orElse(JsonTree.Literal.NULL);
        if (ids.isEmpty()) {
            if (!versioned || !(method instanceof JsonTree.Str)) {
                return errorResponse(Set.of(NULL), INVALID);
            }
            return facts.mustBeRejected()
                    ? new SingleResponse(Set.of(NULL), INVALID, false, true)
                    : new NoResponse();
        }
        Set<String> legal = legalIds(ids);
        if (legal.isEmpty() || (ids.size() == 1 && !RequestIds.isLegal(ids.get(0)))) {
            return errorResponse(Set.of(NULL), INVALID);
        }
        JsonTree params = message.member("params").orElse(new Obj(List.of()));
        boolean structured = params instanceof Obj || params instanceof JsonTree.Arr;
        boolean sound = versioned && method instanceof JsonTree.Str && structured;
        if (!sound || facts.mustBeRejected()) {
            boolean positional = params instanceof JsonTree.Arr && !facts.mustBeRejected();
            Set<Integer> codes = positional ? Set.of(-32600, -32602) : INVALID;
            return errorResponse(facts.idBeyondLimit() ? union(legal, Set.of(NULL)) : legal, codes);
        }
        return expectRequest(message, method.asText(), legal);
    }

    private ExpectedResponse expectRequest(Obj message, String method, Set<String> ids) {
        AllowedResponse outcome = rules.allowedResponse(message, method);
        boolean mixed = message.has("result") || message.has("error");
        Set<Integer> codes = mixed ? union(outcome.codes(), INVALID) : outcome.codes();
        return new SingleResponse(ids, codes, outcome.mayBeResult(), outcome.mayBeAbsent());
    }

    private ExpectedResponse expectBatch(List<JsonTree> items, ParseFacts facts) {
        boolean refusal =
                facts.mustBeRejected() || facts.mayBeRejected() || items.size() > BATCH_ITEMS_MAX;
        var answers = new ArrayList<SingleResponse>();
        var seen = new HashSet<String>();
        for (JsonTree item : items) {
            boolean modern = MethodRules.claimsModern(item);
            refusal = refusal || modern;
            var fine = new ParseFacts(false, false, false, false, facts.mayBeRejected());
            ExpectedResponse one =
                    item instanceof Obj object
                            ? orRejected(expectObject(object, fine), fine)
                            : errorResponse(Set.of(NULL), INVALID);
            if (one instanceof SingleResponse answer) {
                boolean initialize =
                        item.member("method").equals(Optional.of(new JsonTree.Str("initialize")));
                boolean again = answer.ids().stream().anyMatch(id -> !seen.add(id));
                boolean open = facts.mustBeRejected() || modern || initialize || again;
                answers.add(open ? orInvalid(answer) : answer);
            }
        }
        return answers.isEmpty() && !refusal
                ? new NoResponse()
                : new BatchResponse(answers, refusal);
    }

    private static SingleResponse orInvalid(SingleResponse answer) {
        return new SingleResponse(
                answer.ids(),
                union(answer.codes(), INVALID),
                answer.mayBeResult(),
                answer.mayBeAbsent());
    }

    /** The values of all members named id: more than one if the name stands twice. */
    private static List<JsonTree> idsOf(Obj message) {
        return message.members().stream()
                .filter(member -> member.name().equals("id"))
                .map(Member::value)
                .toList();
    }

    private static Set<String> legalIds(List<JsonTree> ids) {
        var legal = new HashSet<String>();
        for (JsonTree id : ids) {
            if (RequestIds.isLegal(id)) {
                legal.add(id.write());
            }
        }
        if (ids.size() > 1) {
            legal.add(NULL);
        }
        return legal;
    }

    private static SingleResponse errorResponse(Set<String> ids, Set<Integer> codes) {
        return new SingleResponse(ids, codes, false, false);
    }

    private static boolean isBlank(String text) {
        return text.chars().allMatch(c -> c == ' ' || c == '\t' || c == '\r');
    }

    private static <T> Set<T> union(Set<T> some, Set<T> more) {
        var all = new HashSet<>(some);
        all.addAll(more);
        return all;
    }
}
