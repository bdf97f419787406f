package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.Conversation.Reply;
import dev.patchbay.repl.Evaluation.Ending;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One evaluation on its way: gathers what the session's JVM tells, and what became of it all. */
final class EvaluationRun {
    private static final int VALUE_CHARS_MAX = 20_000;

    private final SessionJvm jvm;
    private final Limits within;
    private final Transcript printed;
    private final List<SnippetResult> snippets = new ArrayList<>();
    private final String notice;
    private int valueCharsLeft;

    EvaluationRun(SessionJvm jvm, Limits within, Transcript printed) {
        this.jvm = jvm;
        this.within = within;
        this.printed = printed;
        this.notice = jvm.takeNotice();
        this.valueCharsLeft = within.outputCharsMax();
    }

    /** Runs code, the last snippet of it so many times. */
    Evaluation run(Kernel kernel, String code, int runs, Progress progress)
            throws InterruptedException {
        Progress told =
                (elapsed, message) ->
                        progress.report(
                                elapsed,
                                "%s, %d characters of output".formatted(message, printed.length()));
        var conversation = new Conversation(kernel, within.timeout(), told, this::accept);
        JsonWriter request = kernel.request("evaluate").member("code", code);
        request.member("outputChars", within.outputCharsMax());
        request.member("valueChars", VALUE_CHARS_MAX).member("runs", runs);
        Reply reply = conversation.run(request.endObject().toJson());
        if (!(reply instanceof Reply.Gone)) {
            kernel.awaitRawOutput();
        }
        return switch (reply) {
            case Reply.Answered(Json answer) -> answered(answer, conversation.elapsed());
            case Reply.Stopped() -> ended(Ending.TIMED_OUT, stopped(), "", conversation.elapsed());
            case Reply.Gone(boolean unstoppable) ->
                    ended(
                            unstoppable ? Ending.TIMED_OUT : Ending.DIED,
                            gone(unstoppable),
                            "",
                            conversation.elapsed());
        };
    }

    private void accept(Json event) {
        jvm.journal().note(Fields.text(event, "id"));
        jvm.journal().apply(Fields.elements(event, "changes"));
        Fields.elements(event, "changes").stream().map(Definition::from).forEach(this::settle);
        SnippetResult result = SnippetResult.from(event);
        String value = result.value();
        if (value != null) {
            // Many snippets with long values must not make an answer that nobody can read.
            valueCharsLeft -= value.length();
            result = valueCharsLeft < 0 ? result.withValue("(not shown)") : result;
        }
        snippets.add(result);
    }

    /** What an earlier snippet needed may have come with this one. */
    private void settle(Definition changed) {
        snippets.replaceAll(
                it -> it.id().equals(changed.id()) ? it.withMissing(changed.missing()) : it);
    }

    private Evaluation answered(Json answer, Duration elapsed) {
        printed.dropped(Fields.number(answer, "droppedBytes"));
        if (Fields.text(answer, "say").equals("fault")) {
            String fault = "The compiler failed: " + Fields.text(answer, "text");
            return ended(Ending.FAILED, fault, "", elapsed);
        }
        boolean failed = Fields.isTrue(answer, "failed");
        String notRun = Fields.text(answer, "notRun");
        return ended(failed ? Ending.FAILED : Ending.DONE, "", notRun, elapsed);
    }

    private Evaluation ended(Ending ending, String detail, String notRun, Duration elapsed) {
        return new Evaluation(
                ending, detail, List.copyOf(snippets), printed, notRun, notice, elapsed);
    }

    private String stopped() {
        return "Stopped at the limit of %d ms. What it printed is kept, and the session goes on."
                .formatted(within.timeout().toMillis());
    }

    private String gone(boolean unstoppable) {
        if (unstoppable) {
            jvm.end("was ended, because an evaluation did not stop at its limit");
        }
        String what =
                unstoppable
                        ? "Stopped at the limit of %d ms by ending the session's JVM."
                                .formatted(within.timeout().toMillis())
                        : "The session's JVM " + jvm.ending() + ".";
        return what + " " + jvm.prospect();
    }
}
