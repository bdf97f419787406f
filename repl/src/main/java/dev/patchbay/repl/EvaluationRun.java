package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.EvaluationResult.LargeValue;
import dev.patchbay.repl.EvaluationResult.Status;
import dev.patchbay.repl.KernelCall.Outcome;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One evaluation on its way: gathers what the session's JVM tells, and what became of it all. */
final class EvaluationRun {
    /** What an answer shows of a value; the whole of it is a resource. */
    private static final int VALUE_CHARS_MAX = 20_000;

    private static final int WHOLE_VALUE_CHARS_MAX = 2_000_000;
    private static final int LARGE_VALUES_MAX = 4;

    private static final Pattern MORE_CHARACTERS =
            Pattern.compile("… \\((\\d{1,10}) more characters\\)\"?$");

    private final SessionJvm jvm;
    private final EvaluationLimits limits;
    private final CapturedOutput output;
    private final List<SnippetResult> snippets = new ArrayList<>();
    private final String notice;
    private final List<LargeValue> largeValues = new ArrayList<>();
    private @Nullable Json profile;
    private int valueCharsLeft;

    EvaluationRun(SessionJvm jvm, EvaluationLimits within, CapturedOutput printed) {
        this.jvm = jvm;
        this.limits = within;
        this.output = printed;
        this.notice = jvm.takeNotice();
        this.valueCharsLeft = within.outputCharsMax();
    }

    EvaluationResult run(
            KernelConnection kernel, EvaluationRequest asked, ProgressListener progress)
            throws InterruptedException {
        ProgressListener told =
                (elapsed, message) ->
                        progress.report(
                                elapsed,
                                "%s, %d characters of output".formatted(message, output.length()));
        var conversation = new KernelCall(kernel, limits.timeout(), told, this::accept);
        JsonWriter request = kernel.request("evaluate").member("code", asked.code());
        request.member("outputChars", limits.outputCharsMax());
        request.member("valueChars", WHOLE_VALUE_CHARS_MAX).member("runs", asked.runs());
        request.member("profile", asked.profile());
        Outcome reply = conversation.run(request.endObject().toJson());
        if (!(reply instanceof Outcome.JvmEnded)) {
            kernel.awaitRawOutput();
        }
        return switch (reply) {
            case Outcome.Answered(Json answer) -> answered(answer, conversation.elapsed());
            case Outcome.Stopped() ->
                    result(Status.TIMED_OUT, stoppedDetail(), "", conversation.elapsed());
            case Outcome.JvmEnded(boolean unstoppable) ->
                    result(
                            unstoppable ? Status.TIMED_OUT : Status.DIED,
                            jvmEndedDetail(unstoppable),
                            "",
                            conversation.elapsed());
        };
    }

    private void accept(Json event) {
        jvm.definitions().recordId(JsonFields.text(event, "id"));
        jvm.definitions().apply(JsonFields.elements(event, "changes"));
        JsonFields.elements(event, "changes").stream()
                .map(Definition::from)
                .forEach(this::updateMissing);
        SnippetResult result = SnippetResult.from(event);
        String value = result.value();
        if (value != null && value.length() > VALUE_CHARS_MAX) {
            if (largeValues.size() < LARGE_VALUES_MAX) {
                largeValues.add(new LargeValue("value-" + result.id() + ".txt", value));
            }
            value = beginning(value);
            result = result.withValue(value);
        }
        if (value != null) {
            // Many snippets with long values must not make an answer that nobody can read.
            valueCharsLeft -= value.length();
            result = valueCharsLeft < 0 ? result.withValue("(not shown)") : result;
        }
        snippets.add(result);
    }

    /** The beginning of a long value, and how much is missing, as the kernel writes it. */
    private static String beginning(String value) {
        int end =
                Character.isHighSurrogate(value.charAt(VALUE_CHARS_MAX - 1))
                        ? VALUE_CHARS_MAX - 1
                        : VALUE_CHARS_MAX;
        Matcher already = MORE_CHARACTERS.matcher(value);
        long missing =
                already.find()
                        ? already.start() - end + Long.parseLong(already.group(1))
                        : value.length() - end;
        String quote = value.startsWith("\"") ? "\"" : "";
        return value.substring(0, end) + "… (" + missing + " more characters)" + quote;
    }

    /** What an earlier snippet needed may have come with this one. */
    private void updateMissing(Definition changed) {
        snippets.replaceAll(
                it -> it.id().equals(changed.id()) ? it.withMissing(changed.missing()) : it);
    }

    private EvaluationResult answered(Json answer, Duration elapsed) {
        output.dropped(JsonFields.number(answer, "droppedBytes"));
        if (JsonFields.text(answer, "say").equals("fault")) {
            String fault = "The compiler failed: " + JsonFields.text(answer, "text");
            return result(Status.FAILED, fault, "", elapsed);
        }
        profile = answer.member("profile");
        boolean failed = JsonFields.isTrue(answer, "failed");
        String notRun = JsonFields.text(answer, "notRun");
        return result(failed ? Status.FAILED : Status.DONE, "", notRun, elapsed);
    }

    private EvaluationResult result(Status ending, String detail, String notRun, Duration elapsed) {
        return new EvaluationResult(
                ending,
                detail,
                List.copyOf(snippets),
                output,
                notRun,
                notice,
                elapsed,
                profile,
                List.copyOf(largeValues));
    }

    private String stoppedDetail() {
        return "Stopped at the limit of %d ms. What it printed is kept, and the session goes on."
                .formatted(limits.timeout().toMillis());
    }

    private String jvmEndedDetail(boolean unstoppable) {
        if (unstoppable) {
            jvm.end("was ended, because an evaluation did not stop at its limit");
        }
        String what =
                unstoppable
                        ? "Stopped at the limit of %d ms by ending the session's JVM."
                                .formatted(limits.timeout().toMillis())
                        : "The session's JVM " + jvm.exitDescription() + ".";
        return what + " " + jvm.restartSummary();
    }
}
