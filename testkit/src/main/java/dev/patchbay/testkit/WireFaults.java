package dev.patchbay.testkit;

/** The behaviours that break the protocol on the wire. */
final class WireFaults {
    private static final String OK = "{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}";
    private static final String OK_ERROR = "{\"code\":-32000,\"message\":\"both\"}";

    private final ServerCore core;
    private final ServerWire wire;
    private final ServerAnswers answers;

    WireFaults(ServerCore core) {
        this.core = core;
        this.wire = core.wire();
        this.answers = core.answers();
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean play(String behaviour, ServerRequest call) {
        switch (behaviour) {
            case "twice" -> {
                answers.text(call, "once");
                answers.text(call, "twice");
            }
            case "endless" -> endless(call);
            case "drip" -> drip(call);
            case "garbage", "banner", "jsonlog", "badutf8", "utf16", "nul", "bom", "blank" ->
                    noise(behaviour, call);
            case "partial" -> wire.bytes(Text.bytes(part(call)));
            case "rawLine" -> rawLine(call);
            default -> {
                return playShape(behaviour, call);
            }
        }
        return true;
    }

    /** Answers that are JSON and not a right response. */
    private boolean playShape(String behaviour, ServerRequest call) {
        String id = call.id();
        switch (behaviour) {
            case "wrongId" -> wire.line(ServerAnswers.resultLine("987654321", OK));
            case "stringId" -> wire.line(ServerAnswers.resultLine(otherType(id), OK));
            case "floatId" -> wire.line(ServerAnswers.resultLine(id + ".0", OK));
            case "nullId" -> wire.line(ServerAnswers.resultLine("null", OK));
            case "noId" -> wire.line("{\"jsonrpc\":\"2.0\",\"result\":" + OK + "}");
            case "both" -> members(id, "\"result\":" + OK + ",\"error\":" + OK_ERROR);
            case "neither" -> wire.line("{\"jsonrpc\":\"2.0\",\"id\":" + id + "}");
            case "nullResult" -> members(id, "\"result\":null");
            case "arrayResult" -> members(id, "\"result\":[1]");
            case "noContent" -> members(id, "\"result\":{}");
            case "emptyError" -> members(id, "\"error\":{}");
            case "nullError" -> members(id, "\"error\":null");
            case "badError" -> members(id, "\"error\":{\"code\":\"x\",\"message\":7}");
            case "bigCode" -> members(id, "\"error\":{\"code\":1e99,\"message\":\"big\"}");
            case "noVersion" -> wire.line("{\"id\":" + id + ",\"result\":" + OK + "}");
            case "duplicateKeys" -> members(id, "\"result\":{\"a\":1,\"a\":2,\"content\":[]}");
            case "batch" -> wire.line("[" + ServerAnswers.resultLine(id, OK) + "]");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void members(String id, String members) {
        wire.line("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + members + "}");
    }

    /** The number 7 as "7", the string "7" as 7. */
    private static String otherType(String id) {
        return id.startsWith("\"") ? id.substring(1, id.length() - 1) : "\"" + id + "\"";
    }

    private void endless(ServerRequest call) {
        long bytes = call.number("bytes", 256L << 20);
        core.aside(() -> wire.filled(part(call), bytes, ""));
    }

    private void drip(ServerRequest call) {
        String line = ServerAnswers.resultLine(call.id(), OK) + "\n";
        long pause = call.number("ms", 1000);
        core.aside(() -> wire.drip(Text.bytes(line), pause));
    }

    private void noise(String kind, ServerRequest call) {
        for (long i = 0; i < call.number("n", 1); i++) {
            wire.bytes(Noise.of(kind));
        }
        answers.text(call, kind);
    }

    /** Writes the argument {@code line} as it is, with {@code $ID} replaced. */
    private void rawLine(ServerRequest call) {
        String line = call.text("line", "").replace("$ID", call.id());
        wire.bytes(Text.bytes(line + "\n"));
    }

    static String part(ServerRequest call) {
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + call.id()
                + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"FRAGMENT";
    }
}
