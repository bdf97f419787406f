package dev.patchbay.testkit;

/** The behaviours that break the protocol on the wire. */
final class WireFaults {
    private static final String OK = "{\"content\":[{\"type\":\"text\",\"text\":\"ok\"}]}";
    private static final String OK_ERROR = "{\"code\":-32000,\"message\":\"both\"}";

    private final ScriptedServerContext core;
    private final ScriptedStdio stdio;
    private final ScriptedResponses responses;

    WireFaults(ScriptedServerContext core) {
        this.core = core;
        this.stdio = core.stdio();
        this.responses = core.responses();
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean tryRun(String behaviour, ScriptedRequest call) {
        switch (behaviour) {
            case "twice" -> {
                responses.sendText(call, "once");
                responses.sendText(call, "twice");
            }
            case "endless" -> endless(call);
            case "drip" -> drip(call);
            case "garbage", "banner", "jsonlog", "badutf8", "utf16", "nul", "bom", "blank" ->
                    sendStrayOutput(behaviour, call);
            case "partial" -> stdio.writeBytes(Utf8Text.encode(partialResponse(call)));
            case "rawLine" -> rawLine(call);
            default -> {
                return tryRunMalformed(behaviour, call);
            }
        }
        return true;
    }

    /** Answers that are JSON and not a right response. */
    private boolean tryRunMalformed(String behaviour, ScriptedRequest call) {
        String id = call.id();
        switch (behaviour) {
            case "wrongId" -> stdio.writeLine(ScriptedResponses.resultLine("987654321", OK));
            case "stringId" -> stdio.writeLine(ScriptedResponses.resultLine(otherType(id), OK));
            case "floatId" -> stdio.writeLine(ScriptedResponses.resultLine(id + ".0", OK));
            case "nullId" -> stdio.writeLine(ScriptedResponses.resultLine("null", OK));
            case "noId" -> stdio.writeLine("{\"jsonrpc\":\"2.0\",\"result\":" + OK + "}");
            case "both" -> sendMembers(id, "\"result\":" + OK + ",\"error\":" + OK_ERROR);
            case "neither" -> stdio.writeLine("{\"jsonrpc\":\"2.0\",\"id\":" + id + "}");
            case "nullResult" -> sendMembers(id, "\"result\":null");
            case "arrayResult" -> sendMembers(id, "\"result\":[1]");
            case "noContent" -> sendMembers(id, "\"result\":{}");
            case "emptyError" -> sendMembers(id, "\"error\":{}");
            case "nullError" -> sendMembers(id, "\"error\":null");
            case "badError" -> sendMembers(id, "\"error\":{\"code\":\"x\",\"message\":7}");
            case "bigCode" -> sendMembers(id, "\"error\":{\"code\":1e99,\"message\":\"big\"}");
            case "noVersion" -> stdio.writeLine("{\"id\":" + id + ",\"result\":" + OK + "}");
            case "duplicateKeys" -> sendMembers(id, "\"result\":{\"a\":1,\"a\":2,\"content\":[]}");
            case "batch" -> stdio.writeLine("[" + ScriptedResponses.resultLine(id, OK) + "]");
            default -> {
                return false;
            }
        }
        return true;
    }

    private void sendMembers(String id, String members) {
        stdio.writeLine("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + members + "}");
    }

    /** The number 7 as "7", the string "7" as 7. */
    private static String otherType(String id) {
        return id.startsWith("\"") ? id.substring(1, id.length() - 1) : "\"" + id + "\"";
    }

    private void endless(ScriptedRequest call) {
        long bytes = call.number("bytes", 256L << 20);
        core.runInThread(() -> stdio.writeFilled(partialResponse(call), bytes, ""));
    }

    private void drip(ScriptedRequest call) {
        String line = ScriptedResponses.resultLine(call.id(), OK) + "\n";
        long pause = call.number("ms", 1000);
        core.runInThread(() -> stdio.writeSlowly(Utf8Text.encode(line), pause));
    }

    private void sendStrayOutput(String kind, ScriptedRequest call) {
        for (long i = 0; i < call.number("n", 1); i++) {
            stdio.writeBytes(StrayOutputSamples.bytesOf(kind));
        }
        responses.sendText(call, kind);
    }

    /** Writes the argument {@code line} as it is, with {@code $ID} replaced. */
    private void rawLine(ScriptedRequest call) {
        String line = call.text("line", "").replace("$ID", call.id());
        stdio.writeBytes(Utf8Text.encode(line + "\n"));
    }

    static String partialResponse(ScriptedRequest call) {
        return "{\"jsonrpc\":\"2.0\",\"id\":"
                + call.id()
                + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"FRAGMENT";
    }
}
