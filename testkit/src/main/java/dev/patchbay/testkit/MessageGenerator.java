package dev.patchbay.testkit;

import dev.patchbay.testkit.JsonTree.Member;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Random lines for an MCP endpoint, the same for the same seed. Put {@link #seedNote} into every
 * failure message: {@code -Dpatchbay.seed} repeats the run.
 */
public final class MessageGenerator {
    private static final List<String> METHODS =
            List.of(
                    "ping",
                    "tools/list",
                    "tools/call",
                    "resources/list",
                    "resources/templates/list",
                    "resources/read",
                    "prompts/list",
                    "prompts/get",
                    "completion/complete",
                    "logging/setLevel");
    private static final List<String> UNKNOWN_METHODS =
            List.of("", "nope", "tools/", "Tools/List", "rpc.x", "tools/list\u0000", "ping ", "😀");
    private static final List<String> TRICKY_TEXTS =
            List.of(
                    "\n",
                    "\r\n",
                    "\u0000",
                    "\u001b[31m",
                    "\u2028",
                    "\u2029",
                    "\u0085",
                    "\ud800",
                    "\udc00",
                    "😀",
                    "\"",
                    "\\",
                    "\\n",
                    "</script>",
                    "\ufeff",
                    "\u007f",
                    "\u0300",
                    "\u202e",
                    "ſ",
                    "İ",
                    "é",
                    "${x}",
                    "..",
                    "a");
    private static final List<String> NUMBERS =
            List.of(
                    "0",
                    "-0",
                    "1.0",
                    "0.1000",
                    "1e2",
                    "1E-7",
                    "9007199254740993",
                    "18446744073709551617",
                    "-9223372036854775809",
                    "1e400",
                    "0.30000000000000004");

    private final long seed;
    private final SplittableRandom random;
    private long count;

    private MessageGenerator(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    public static MessageGenerator of(long seed) {
        return new MessageGenerator(seed);
    }

    /** With the seed of the system property {@code patchbay.seed}, or a new one. */
    public static MessageGenerator seeded() {
        Long given = Long.getLong("patchbay.seed");
        return of(given == null ? new SplittableRandom().nextLong() : given);
    }

    public long seed() {
        return seed;
    }

    /** What a failure message must say to be repeatable. */
    public String seedNote() {
        return "seed " + seed + " (repeat with -Dpatchbay.seed=" + seed + ")";
    }

    /** A number from 0 up to this one, which is left out. */
    public int nextInt(int bound) {
        return random.nextInt(bound);
    }

    public boolean percentChance(int percent) {
        return nextInt(100) < percent;
    }

    public <T> T pick(List<T> some) {
        return some.get(nextInt(some.size()));
    }

    /**
     * Text of what breaks careless programs: controls, line ends of other worlds, half characters.
     */
    public String trickyString() {
        var text = new StringBuilder();
        for (int i = nextInt(8); i >= 0; i--) {
            text.append(pick(TRICKY_TEXTS));
        }
        return text.toString();
    }

    /**
     * A JSON string literal in a random spelling: some characters escaped though they need not be.
     */
    public String stringLiteral(String value) {
        var text = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean must = c < 0x20 || c == '"' || c == '\\' || Character.isSurrogate(c);
            text.append(must || percentChance(20) ? String.format("\\u%04x", (int) c) : c);
        }
        return text.append('"').toString();
    }

    /** Any JSON value up to this depth, without duplicate names. */
    public JsonTree value(int depthMax) {
        return switch (nextInt(depthMax > 0 ? 7 : 5)) {
            case 0 -> new JsonTree.Str(trickyString());
            case 1 -> new JsonTree.Num(pick(NUMBERS));
            case 2 -> new JsonTree.Num(Long.toString(random.nextLong()));
            case 3 -> pick(List.of(JsonTree.Literal.values()));
            case 4 -> new JsonTree.Str("plain");
            case 5 -> array(depthMax - 1);
            default -> object(depthMax - 1);
        };
    }

    private JsonTree array(int depthMax) {
        var items = new ArrayList<JsonTree>();
        for (int i = nextInt(4); i > 0; i--) {
            items.add(value(depthMax));
        }
        return new JsonTree.Arr(items);
    }

    /** An object with up to three members of distinct names. */
    public JsonTree.Obj object(int depthMax) {
        var members = new ArrayList<Member>();
        var names = new HashSet<String>();
        for (int i = nextInt(4); i > 0; i--) {
            String name = percentChance(50) ? "n" + i : trickyString();
            if (names.add(name)) {
                members.add(new Member(name, value(depthMax)));
            }
        }
        return new JsonTree.Obj(members);
    }

    /** A legal id as raw JSON that this generator has not made before. */
    public String uniqueId() {
        count++;
        return switch (nextInt(7)) {
            case 0 -> "\"" + count + "\"";
            case 1 -> "-" + count;
            case 2 -> "1844674407370955" + (100_000_000L + count);
            case 3 -> stringLiteral(trickyStringWithoutLoneSurrogates() + count);
            case 4 -> "9".repeat(60) + (1_000_000_000L + count);
            case 5 -> count + ".0";
            default -> Long.toString(count);
        };
    }

    /** A nasty string without half characters, so that every program can write it down. */
    public String trickyStringWithoutLoneSurrogates() {
        return trickyString().replace("\ud800", "x").replace("\udc00", "y");
    }

    /** An id no request may have, as raw JSON. */
    public String illegalId() {
        return pick(List.of("null", "1.5", "true", "false", "[]", "{}", "1e400", "1e-1", "[7]"));
    }

    /** A well-formed request of the legacy era under a fresh id, of a known method or not. */
    public SampleLine request() {
        String method = percentChance(70) ? pick(METHODS) : pick(UNKNOWN_METHODS);
        String params = params(method);
        String line =
                ClientMessages.request(uniqueId(), "@", params)
                        .replace("\"@\"", stringLiteral(method));
        return SampleLine.of("request", withRandomBlanks(line));
    }

    /** A well-formed request of the modern era under a fresh id. */
    public SampleLine modernRequest() {
        String method =
                percentChance(80) ? pick(METHODS) : pick(List.of("server/discover", "nope"));
        String params = params(method);
        String whole = ClientMessages.modernParams(params.startsWith("{") ? params : "{}");
        return SampleLine.of("modern request", ClientMessages.request(uniqueId(), method, whole));
    }

    /** Params that may or may not suit the method; they are an object or absent. */
    private String params(String method) {
        if (percentChance(20)) {
            return "";
        }
        if (method.equals("tools/call") && percentChance(70)) {
            String name =
                    stringLiteral(
                            percentChance(50)
                                    ? "no-such-tool"
                                    : trickyStringWithoutLoneSurrogates());
            return "{\"name\":" + name + ",\"arguments\":" + object(3).write() + "}";
        }
        return percentChance(30) ? "{}" : objectWithoutLoneSurrogates().write();
    }

    private JsonTree objectWithoutLoneSurrogates() {
        JsonTree made = object(3);
        for (int i = 0; i < 20 && made.write().contains("\\ud"); i++) {
            made = object(3);
        }
        return made.write().contains("\\ud") ? new JsonTree.Obj(List.of()) : made;
    }

    /** A line that is wrong in one of the ways the acceptance cases name. */
    public SampleLine invalidLine() {
        return switch (nextInt(8)) {
            case 0 ->
                    SampleLine.of(
                            "illegal id", ClientMessages.request(illegalId(), pick(METHODS), ""));
            case 1 -> pick(SampleLines.envelopes());
            case 2 -> pick(SampleLines.unparsable());
            case 3 -> pick(SampleLines.encodings());
            case 4 -> pick(SampleLines.batches());
            case 5 -> pick(SampleLines.params());
            case 6 -> SampleLine.of("value", value(4).write());
            default -> mutatedLine(List.of(request().line(), modernRequest().line()));
        };
    }

    /** A line of this corpus with bytes flipped, cut, repeated or mixed with another line. */
    public SampleLine mutatedLine(List<byte[]> corpus) {
        byte[] line = pick(corpus);
        for (int i = nextInt(3); i >= 0; i--) {
            line = LineMutations.apply(this, line, pick(corpus));
        }
        return new SampleLine("mutation", LineMutations.oneLine(line));
    }

    /** Any line: right requests, silent ones and wrong ones mixed. */
    public SampleLine anyLine() {
        int dice = nextInt(100);
        if (dice < 40) {
            return request();
        }
        if (dice < 50) {
            return modernRequest();
        }
        return dice < 60 ? pick(SampleLines.unanswered()) : invalidLine();
    }

    /** Blanks between tokens must not matter. */
    private String withRandomBlanks(String line) {
        return switch (nextInt(5)) {
            case 0 -> " " + line;
            case 1 -> line + " \r";
            case 2 -> "\t" + line + "\t";
            default -> line;
        };
    }
}
