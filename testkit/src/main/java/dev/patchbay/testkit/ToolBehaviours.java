package dev.patchbay.testkit;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;

/** The behaviours that keep to the protocol, however long or strange their answers are. */
final class ToolBehaviours {
    private final ServerCore core;
    private final ServerAnswers answers;
    private final ServerStreams streams;
    private final AtomicLong calls = new AtomicLong();

    ToolBehaviours(ServerCore core, ServerStreams streams) {
        this.core = core;
        this.answers = core.answers();
        this.streams = streams;
    }

    /** Plays a behaviour by name; says whether it is one of these. */
    boolean play(String behaviour, ServerRequest call) {
        long count = calls.incrementAndGet();
        switch (behaviour) {
            case "echo" -> echo(call);
            case "add" -> add(call);
            case "counter" -> answers.text(call, Long.toString(count));
            case "slow" -> slow(call);
            case "late" -> core.later(call.number("ms", 1000), () -> answers.text(call, "late"));
            case "defiant" -> call.whenCancelled(() -> answers.text(call, "late"));
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
            case "notice" -> {
                answers.notification(call.text("method", ""), call.rawArgument("params", "{}"));
                answers.text(call, "notice");
            }
            case "changed" -> {
                streams.changed(call.text("kind", "tools"), (int) call.number("n", 1));
                answers.text(call, "changed");
            }
            case "updated" -> {
                streams.updated(call.text("uri", ""), call.text("anyway", "false").equals("true"));
                answers.text(call, "updated");
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private void echo(ServerRequest call) {
        String arguments = call.rawArguments();
        answers.result(
                call, ServerAnswers.textContent(arguments) + ",\"structuredContent\":" + arguments);
    }

    private void add(ServerRequest call) {
        try {
            var sum = new BigDecimal(call.text("a", "")).add(new BigDecimal(call.text("b", "")));
            answers.text(call, sum.toPlainString());
        } catch (NumberFormatException e) {
            answers.error(call, -32602, "a and b must be numbers");
        }
    }

    private void slow(ServerRequest call) {
        core.later(
                call.number("ms", 1000),
                () -> {
                    if (!call.cancelled()) {
                        answers.text(call, "slow");
                    }
                });
    }

    private void fail(ServerRequest call) {
        answers.result(
                call,
                "\"content\":[{\"type\":\"text\",\"text\":\"half done\"},{\"type\":\"text\","
                        + "\"text\":"
                        + StrictJson.quote(call.text("message", "it failed"))
                        + "}],\"structuredContent\":{\"done\":0.50},\"isError\":true,"
                        + "\"_meta\":{\"test/trace\":\"t-1\"}");
    }

    private void rpcError(ServerRequest call) {
        int code = (int) call.number("code", -32000);
        String data = call.rawArgument("data", "");
        answers.error(call, code, call.text("message", "refused"), data);
    }

    /** Answers with the argument {@code result} as it is spelled. */
    private void reply(ServerRequest call) {
        String result = call.rawArgument("result", "{}");
        core.wire().line(ServerAnswers.resultLine(call.id(), result));
    }

    private void big(ServerRequest call) {
        String mark = "@";
        String whole =
                ServerAnswers.resultLine(
                        call.id(), answers.object(call, ServerAnswers.textContent(mark)));
        int at = whole.indexOf(mark);
        String tail = whole.substring(at + mark.length()) + "\n";
        long letters = call.number("bytes", 1 << 20);
        core.aside(() -> core.wire().filled(whole.substring(0, at), letters, tail));
    }

    private void deep(ServerRequest call) {
        int depth = (int) call.number("depth", 100_000);
        String nested = "[".repeat(depth) + "]".repeat(depth);
        answers.result(
                call,
                ServerAnswers.textContent("deep")
                        + ",\"structuredContent\":{\"v\":"
                        + nested
                        + "}");
    }

    private void tokens(ServerRequest call) {
        int n = (int) call.number("n", 1_000_000);
        String zeros = "0,".repeat(n) + "0";
        answers.result(
                call,
                ServerAnswers.textContent("tokens")
                        + ",\"structuredContent\":{\"v\":["
                        + zeros
                        + "]}");
    }

    private void progress(ServerRequest call) {
        String own = call.param("_meta", "progressToken").map(JsonTree::write).orElse("\"none\"");
        String token = call.rawArgument("token", own);
        long n = call.number("n", 3);
        long pause = call.number("ms", 0);
        core.aside(
                () -> {
                    for (long i = 1; i <= n; i++) {
                        sendProgress(token, i, n);
                        ServerWire.pause(pause);
                    }
                    if (!call.cancelled()) {
                        answers.text(call, "progress");
                    }
                    for (long i = 1; i <= call.number("after", 0); i++) {
                        sendProgress(token, n + i, n);
                    }
                });
    }

    private void sendProgress(String token, long i, long n) {
        answers.notification(
                "notifications/progress",
                "{\"progressToken\":" + token + ",\"progress\":" + i + ",\"total\":" + n + "}");
    }

    private void log(ServerRequest call) {
        for (long i = 1; i <= call.number("n", 1); i++) {
            String text = StrictJson.quote(call.text("text", "log") + " " + i);
            String level = StrictJson.quote(call.text("level", "info"));
            answers.notification(
                    "notifications/message",
                    answers.marked(call, "\"level\":" + level + ",\"data\":" + text));
        }
        answers.text(call, "log");
    }

    private void env(ServerRequest call) {
        String report = ProcessFaults.describe();
        answers.result(
                call, ServerAnswers.textContent(report) + ",\"structuredContent\":" + report);
    }
}
