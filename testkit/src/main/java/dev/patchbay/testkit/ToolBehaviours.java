package dev.patchbay.testkit;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;

/** The behaviours that keep to the protocol, however long or strange their answers are. */
final class ToolBehaviours {
    private final ScriptedServerContext core;
    private final ScriptedResponses responses;
    private final ScriptedNotifications streams;
    private final AtomicLong calls = new AtomicLong();

    ToolBehaviours(ScriptedServerContext core, ScriptedNotifications streams) {
        this.core = core;
        this.responses = core.responses();
        this.streams = streams;
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean tryRun(String behaviour, ScriptedRequest call) {
        long count = calls.incrementAndGet();
        switch (behaviour) {
            case "echo" -> echo(call);
            case "add" -> add(call);
            case "counter" -> responses.sendText(call, Long.toString(count));
            case "slow" -> slow(call);
            case "late" ->
                    core.schedule(call.number("ms", 1000), () -> responses.sendText(call, "late"));
            case "defiant" -> call.onCancel(() -> responses.sendText(call, "late"));
            case "hang", "cancelAware" -> {
                // the record shows the call, and the cancellation if one comes
            }
            case "fail" -> fail(call);
            case "rpcError" -> rpcError(call);
            case "reply" -> reply(call);
            case "big" -> big(call);
            case "deep" -> deep(call);
            case "tokens" -> tokens(call);
            case "progress" -> progress(call);
            case "log" -> log(call);
            case "env" -> env(call);
            case "notice" -> notice(call);
            case "changed" -> {
                streams.notifyListChanged(call.text("kind", "tools"), (int) call.number("n", 1));
                responses.sendText(call, "changed");
            }
            case "updated" -> {
                streams.notifyResourceUpdated(
                        call.text("uri", ""), call.text("anyway", "false").equals("true"));
                responses.sendText(call, "updated");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void notice(ScriptedRequest call) {
        responses.sendNotification(call.text("method", ""), call.rawArgument("params", "{}"));
        responses.sendText(call, "notice");
    }

    private void echo(ScriptedRequest call) {
        String arguments = call.rawArguments();
        responses.sendResult(
                call,
                ScriptedResponses.textContent(arguments) + ",\"structuredContent\":" + arguments);
    }

    private void add(ScriptedRequest call) {
        try {
            var sum = new BigDecimal(call.text("a", "")).add(new BigDecimal(call.text("b", "")));
            responses.sendText(call, sum.toPlainString());
        } catch (NumberFormatException e) {
            responses.sendError(call, -32602, "a and b must be numbers");
        }
    }

    private void slow(ScriptedRequest call) {
        core.schedule(
                call.number("ms", 1000),
                () -> {
                    if (!call.cancelled()) {
                        responses.sendText(call, "slow");
                    }
                });
    }

    private void fail(ScriptedRequest call) {
        responses.sendResult(
                call,
                "\"content\":[{\"type\":\"text\",\"text\":\"half done\"},{\"type\":\"text\","
                        + "\"text\":"
                        + StrictJson.quote(call.text("message", "it failed"))
                        + "}],\"structuredContent\":{\"done\":0.50},\"isError\":true,"
                        + "\"_meta\":{\"test/trace\":\"t-1\"}");
    }

    private void rpcError(ScriptedRequest call) {
        int code = (int) call.number("code", -32000);
        String data = call.rawArgument("data", "");
        responses.sendError(call, code, call.text("message", "refused"), data);
    }

    /** Answers with the argument {@code result} as it is spelled. */
    private void reply(ScriptedRequest call) {
        String result = call.rawArgument("result", "{}");
        core.stdio().writeLine(ScriptedResponses.resultLine(call.id(), result));
    }

    private void big(ScriptedRequest call) {
        String mark = "@";
        String whole =
                ScriptedResponses.resultLine(
                        call.id(),
                        responses.resultObject(call, ScriptedResponses.textContent(mark)));
        int at = whole.indexOf(mark);
        String tail = whole.substring(at + mark.length()) + "\n";
        long letters = call.number("bytes", 1 << 20);
        core.runInThread(() -> core.stdio().writeFilled(whole.substring(0, at), letters, tail));
    }

    private void deep(ScriptedRequest call) {
        int depth = (int) call.number("depth", 100_000);
        String nested = "[".repeat(depth) + "]".repeat(depth);
        responses.sendResult(
                call,
                ScriptedResponses.textContent("deep")
                        + ",\"structuredContent\":{\"v\":"
                        + nested
                        + "}");
    }

    private void tokens(ScriptedRequest call) {
        int n = (int) call.number("n", 1_000_000);
        String zeros = "0,".repeat(n) + "0";
        responses.sendResult(
                call,
                ScriptedResponses.textContent("tokens")
                        + ",\"structuredContent\":{\"v\":["
                        + zeros
                        + "]}");
    }

    private void progress(ScriptedRequest call) {
        String own = call.param("_meta", "progressToken").map(JsonTree::write).orElse("\"none\"");
        String token = call.rawArgument("token", own);
        long n = call.number("n", 3);
        long pause = call.number("ms", 0);
        core.runInThread(
                () -> {
                    for (long i = 1; i <= n; i++) {
                        sendProgress(token, i, n);
                        ScriptedStdio.sleep(pause);
                    }
                    if (!call.cancelled()) {
                        responses.sendText(call, "progress");
                    }
                    for (long i = 1; i <= call.number("after", 0); i++) {
                        sendProgress(token, n + i, n);
                    }
                });
    }

    private void sendProgress(String token, long i, long n) {
        responses.sendNotification(
                "notifications/progress",
                "{\"progressToken\":" + token + ",\"progress\":" + i + ",\"total\":" + n + "}");
    }

    private void log(ScriptedRequest call) {
        for (long i = 1; i <= call.number("n", 1); i++) {
            String text = StrictJson.quote(call.text("text", "log") + " " + i);
            String level = StrictJson.quote(call.text("level", "info"));
            responses.sendNotification(
                    "notifications/message",
                    responses.withCallId(call, "\"level\":" + level + ",\"data\":" + text));
        }
        responses.sendText(call, "log");
    }

    private void env(ScriptedRequest call) {
        String report = ProcessFaults.describe();
        responses.sendResult(
                call, ScriptedResponses.textContent(report) + ",\"structuredContent\":" + report);
    }
}
