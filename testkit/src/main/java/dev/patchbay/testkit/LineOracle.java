package dev.patchbay.testkit;

import dev.patchbay.testkit.Expectation.Answer;
import dev.patchbay.testkit.Expectation.Batch;
import dev.patchbay.testkit.Expectation.Silence;
import dev.patchbay.testkit.JsonTree.Member;
import dev.patchbay.testkit.JsonTree.Obj;
import dev.patchbay.testkit.MethodRules.Outcome;

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

    private static final int KEPT_DEPTH_MAX = 2_000;
    private static final int NUMBER_CHARS_MAX = 1_000;
    private static final int NAME_CHARS_MAX = 50_000;
    private static final int TOKENS_MAX = 1_000_000;
    private static final int BATCH_ITEMS_MAX = 100;
    private static final String NULL = "null";
    private static final Set<Integer> INVALID = Set.of(-32600);
    private static final Set<Integer> UNPARSABLE = Set.of(-32700);
    private static final Set<Integer> EITHER = Set.of(-32600, -32700);

    private final boolean batches;
    private final MethodRules rules;

    private LineOracle(Session session, boolean batches, Set<String> tools) {
        this.batches = batches;
        this.rules = new MethodRules(session, Set.copyOf(tools));
    }

    /** How far the conversation is. */
    public enum Session {
        UNINITIALIZED,
        LEGACY,
        MODERN;

        boolean initialized() {
            return this == LEGACY;
        }
    }

    /**
     * The oracle of a legacy session with this version.
     *
     * @param tools every name by which a tool may be called there; all others are unknown
     */
    public static LineOracle legacy(String version, String... tools) {
        return new LineOracle(Session.LEGACY, version.equals("2025-03-26"), Set.of(tools));
    }

    /** The oracle of a conversation before initialize. */
    public static LineOracle uninitialized(String... tools) {
        return new LineOracle(Session.UNINITIALIZED, false, Set.of(tools));
    }

    /** The oracle of a conversation in which the client sends modern requests. */
    public static LineOracle modern(String... tools) {
        return new LineOracle(Session.MODERN, false, Set.of(tools));
    }

    /** What must come back for this line, given without its line feed. */
    public Expectation expect(byte[] line) {
        boolean tooLong = line.length > LINE_BYTES_MAX;
        Optional<String> text = Text.strict(line);
        if (text.isEmpty()) {
            return answer(Set.of(NULL), tooLong ? EITHER : UNPARSABLE);
        }
        if (text.get().startsWith("\uFEFF")) {
            return marked(text.get().substring(1), tooLong);
        }
        return expect(text.get(), tooLong);
    }

    /** A byte order mark is an error or ignored, never a reason for silence about a request. */
    private Expectation marked(String rest, boolean tooLong) {
        if (blank(rest)) {
            return answer(Set.of(NULL), UNPARSABLE);
        }
        return switch (expect(rest, tooLong)) {
            case Silence() -> new Answer(Set.of(NULL), UNPARSABLE, false, true);
            case Answer inner ->
                    new Answer(
                            with(inner.ids(), Set.of(NULL)),
                            with(inner.codes(), UNPARSABLE),
                            inner.result(),
                            inner.silence());
            case Batch _ -> answer(Set.of(NULL), UNPARSABLE);
        };
    }

    private Expectation expect(String text, boolean tooLong) {
        if (blank(text)) {
            return tooLong ? new Answer(Set.of(NULL), INVALID, false, true) : new Silence();
        }
        var parser = new JsonParser(text, KEPT_DEPTH_MAX);
        try {
            JsonTree tree = parser.document();
            return meaning(tree, Facts.of(parser, tooLong));
        } catch (JsonFault e) {
            Facts facts = Facts.of(parser, tooLong);
            if (!facts.refused()) {
                return answer(Set.of(NULL), UNPARSABLE);
            }
            // Two faults: a reader that stops at the first may name the other one, and the id.
            Set<String> seen =
                    parser.topId().filter(RequestIds::legal).isPresent()
                            ? Set.of(parser.topId().orElseThrow().write())
                            : Set.of();
            return new Answer(with(Set.of(NULL), seen), EITHER, false, false);
        }
    }

    /** What the text showed besides its value. */
    private record Facts(
            boolean beyondLimit, boolean tooLong, boolean idFar, boolean duplicate, boolean odd) {
        static Facts of(JsonParser parser, boolean tooLong) {
            boolean longId =
                    parser.topId()
                            .map(id -> id.write().length() == parser.numberCharsMax())
                            .orElse(false);
            boolean extreme =
                    (parser.numberCharsMax() > NUMBER_CHARS_MAX && !longId)
                            || parser.nameCharsMax() > NAME_CHARS_MAX
                            || parser.tokens() > TOKENS_MAX;
            boolean beyond = tooLong || parser.depthSeen() > DEPTH_MAX;
            boolean oddId = parser.topId().map(RequestIds::refusable).orElse(false);
            boolean odd = parser.loneSurrogate() || extreme || oddId;
            boolean far = tooLong && parser.topIdAt() >= LINE_BYTES_MAX;
            return new Facts(beyond, tooLong, far, parser.duplicate().isPresent(), odd);
        }

        boolean refused() {
            return beyondLimit || duplicate;
        }
    }

    private Expectation meaning(JsonTree tree, Facts facts) {
        if (tree instanceof JsonTree.Arr array && batches && !array.items().isEmpty()) {
            return batch(array.items(), facts);
        }
        if (!(tree instanceof Obj object)) {
            return answer(Set.of(NULL), facts.odd() ? EITHER : INVALID);
        }
        return widened(object(object, facts), facts);
    }

    /** Lone surrogates, extreme sizes and odd ids may be refused, with or without the id. */
    private static Expectation widened(Expectation plain, Facts facts) {
        if (!facts.odd()) {
            return plain;
        }
        return switch (plain) {
            case Silence() -> new Answer(Set.of(NULL), EITHER, false, true);
            case Answer answer ->
                    new Answer(
                            with(answer.ids(), Set.of(NULL)),
                            with(answer.codes(), EITHER),
                            answer.result(),
                            answer.silence());
            case Batch batch -> batch;
        };
    }

    private Expectation object(Obj message, Facts facts) {
        boolean called = message.has("method");
        if (!called && (message.has("result") || message.has("error"))) {
            return facts.tooLong() ? new Answer(Set.of(NULL), INVALID, false, true) : new Silence();
        }
        List<JsonTree> ids = ids(message);
        JsonTree version = message.member("jsonrpc").orElse(JsonTree.Literal.NULL);
        boolean versioned = version.equals(new JsonTree.Str("2.0"));
        JsonTree method = message.member("method").orElse(JsonTree.Literal.NULL);
        if (ids.isEmpty()) {
            if (!versioned || !(method instanceof JsonTree.Str)) {
                return answer(Set.of(NULL), INVALID);
            }
            return facts.refused() ? new Answer(Set.of(NULL), INVALID, false, true) : new Silence();
        }
        Set<String> legal = legal(ids);
        if (legal.isEmpty() || (ids.size() == 1 && !RequestIds.legal(ids.get(0)))) {
            return answer(Set.of(NULL), INVALID);
        }
        JsonTree params = message.member("params").orElse(new Obj(List.of()));
        boolean structured = params instanceof Obj || params instanceof JsonTree.Arr;
        boolean sound = versioned && method instanceof JsonTree.Str && structured;
        if (!sound || facts.refused()) {
            boolean positional = params instanceof JsonTree.Arr && !facts.refused();
            Set<Integer> codes = positional ? Set.of(-32600, -32602) : INVALID;
            return answer(facts.idFar() ? with(legal, Set.of(NULL)) : legal, codes);
        }
        return request(message, method.text(), legal);
    }

    private Expectation request(Obj message, String method, Set<String> ids) {
        Outcome outcome = rules.outcome(message, method);
        boolean mixed = message.has("result") || message.has("error");
        Set<Integer> codes = mixed ? with(outcome.codes(), INVALID) : outcome.codes();
        return new Answer(ids, codes, outcome.result(), outcome.silence());
    }

    private Expectation batch(List<JsonTree> items, Facts facts) {
        boolean refusal = facts.refused() || facts.odd() || items.size() > BATCH_ITEMS_MAX;
        var answers = new ArrayList<Answer>();
        var seen = new HashSet<String>();
        for (JsonTree item : items) {
            boolean modern = MethodRules.claimsModern(item);
            refusal = refusal || modern;
            var fine = new Facts(false, false, false, false, facts.odd());
            Expectation one =
                    item instanceof Obj object
                            ? widened(object(object, fine), fine)
                            : answer(Set.of(NULL), INVALID);
            if (one instanceof Answer answer) {
                boolean initialize =
                        item.member("method").equals(Optional.of(new JsonTree.Str("initialize")));
                boolean again = answer.ids().stream().anyMatch(id -> !seen.add(id));
                boolean open = facts.refused() || modern || initialize || again;
                answers.add(open ? refusable(answer) : answer);
            }
        }
        return answers.isEmpty() && !refusal ? new Silence() : new Batch(answers, refusal);
    }

    private static Answer refusable(Answer answer) {
        return new Answer(
                answer.ids(), with(answer.codes(), INVALID), answer.result(), answer.silence());
    }

    /** The values of all members named id: more than one if the name stands twice. */
    private static List<JsonTree> ids(Obj message) {
        return message.members().stream()
                .filter(member -> member.name().equals("id"))
                .map(Member::value)
                .toList();
    }

    private static Set<String> legal(List<JsonTree> ids) {
        var legal = new HashSet<String>();
        for (JsonTree id : ids) {
            if (RequestIds.legal(id)) {
                legal.add(id.write());
            }
        }
        if (ids.size() > 1) {
            legal.add(NULL);
        }
        return legal;
    }

    private static Answer answer(Set<String> ids, Set<Integer> codes) {
        return new Answer(ids, codes, false, false);
    }

    private static boolean blank(String text) {
        return text.chars().allMatch(c -> c == ' ' || c == '\t' || c == '\r');
    }

    private static <T> Set<T> with(Set<T> some, Set<T> more) {
        var all = new HashSet<>(some);
        all.addAll(more);
        return all;
    }
}
