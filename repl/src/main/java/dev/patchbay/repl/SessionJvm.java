package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.KernelCall.Outcome;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * The JVM of a session through its lives: started when needed, and started anew with the same
 * definitions when it has died. Owned by the session, under its lock, but for {@link #end} and
 * {@link #takeNotice}.
 */
final class SessionJvm {
    private static final Duration RESTORE_TIMEOUT = Duration.ofSeconds(60);

    private static final int NAMES_SHOWN_MAX = 40;
    private static final int NOTICE_CHARS_MAX = 8_000;

    private final ReplSessionOptions options;
    private final OutputListener outputListener;
    private final DefinitionRegistry definitions = new DefinitionRegistry();
    private final List<String> classpath = new ArrayList<>();
    private volatile @Nullable KernelConnection kernel;
    private volatile String endReason = "";
    private volatile boolean closed;
    private final AtomicReference<String> notice = new AtomicReference<>("");

    SessionJvm(ReplSessionOptions options, OutputListener sink) {
        this.options = options;
        this.outputListener = sink;
    }

    DefinitionRegistry definitions() {
        return definitions;
    }

    List<String> classpath() {
        return classpath;
    }

    /** What happened to the session since the last call; empty if nothing did. */
    String takeNotice() {
        return notice.getAndSet("");
    }

    /** Whether no JVM runs. */
    boolean isStopped() {
        KernelConnection running = kernel;
        return running == null || running.hasEnded();
    }

    /** The running JVM, started first if there is none. */
    KernelConnection ensureRunning() throws ReplException, InterruptedException {
        KernelConnection last = kernel;
        if (last != null && !last.hasEnded()) {
            return last;
        }
        String how = last == null ? "" : exitDescription(last);
        KernelConnection fresh = start();
        endReason = "";
        var lost = restore(fresh);
        if (!how.isEmpty()) {
            addNotice(notice(how, lost));
        }
        return fresh;
    }

    private void addNotice(String text) {
        notice.updateAndGet(
                last -> {
                    String all = last.isEmpty() ? text : last + "\n" + text;
                    return all.length() > NOTICE_CHARS_MAX ? text : all;
                });
    }

    /** How the JVM ended that ran last. */
    String exitDescription() {
        KernelConnection last = kernel;
        return last == null ? "" : exitDescription(last);
    }

    private String exitDescription(KernelConnection last) {
        String reason = endReason;
        return reason.isEmpty() ? last.exitDescription() : reason;
    }

    /** Ends the JVM for a reason, which is told when the next one starts. Any thread may do it. */
    void end(String reason) {
        endReason = reason;
        KernelConnection running = kernel;
        if (running != null) {
            running.close();
        }
    }

    /** Ends the JVM, and with it all that was defined. */
    void reset() {
        end("");
        kernel = null;
        definitions.clear();
        classpath.clear();
        notice.set("");
    }

    /** Ends the JVM and starts one with what a snapshot has; what could not be defined. */
    List<String> restoreFrom(SessionSnapshot snapshot) throws ReplException, InterruptedException {
        reset();
        classpath.addAll(snapshot.classpath());
        definitions.restoreFrom(snapshot);
        KernelConnection fresh = start();
        endReason = "";
        return restore(fresh);
    }

    /** Ends the JVM for good. */
    void close() {
        closed = true;
        end("closed");
    }

    /** Asks for something that does not run code of the user's. */
    Json query(JsonWriter request, Duration limit) throws ReplException, InterruptedException {
        KernelConnection running = ensureRunning();
        var conversation = new KernelCall(running, limit, ProgressListener.NONE, event -> {});
        return switch (conversation.run(request.endObject().toJson())) {
            case Outcome.Answered(Json answer) when JsonFields.text(answer, "say").equals("done") ->
                    answer;
            case Outcome.Answered(Json answer) ->
                    throw new ReplException(
                            (JsonFields.isTrue(answer, "refused") ? "" : "It failed: ")
                                    + JsonFields.text(answer, "text"));
            case Outcome.Stopped() ->
                    throw new ReplException(
                            "It took longer than " + limit.toSeconds() + " s and was stopped");
            case Outcome.JvmEnded(boolean _) ->
                    throw new ReplException(
                            "The session's JVM " + exitDescription(running) + "; a new one starts");
        };
    }

    private KernelConnection start() throws ReplException, InterruptedException {
        KernelConnection last = kernel;
        if (last != null) {
            last.close();
        }
        if (closed) {
            throw new ReplException("The session is closed");
        }
        try {
            KernelConnection fresh = KernelConnection.start(options, outputListener);
            kernel = fresh;
            Optional<Json> ready = fresh.nextEvent(options.startTimeout());
            if (ready.isEmpty() || fresh.hasEnded()) {
                fresh.close();
                throw new ReplException("The JVM of the session " + fresh.exitDescription());
            }
            return fresh;
        } catch (IOException e) {
            throw new ReplException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Gives a new JVM the class path and the definitions of the last one; what it did not take. */
    private List<String> restore(KernelConnection fresh)
            throws ReplException, InterruptedException {
        if (!classpath.isEmpty()) {
            JsonWriter request = fresh.request("classpath").name("paths").beginArray();
            classpath.forEach(request::string);
            query(request.endArray(), RESTORE_TIMEOUT);
        }
        List<Definition> kept = definitions.restorable();
        if (kept.isEmpty() && definitions.lastId() == 0) {
            return List.of();
        }
        JsonWriter request = fresh.request("restore").member("lastId", definitions.lastId());
        request.name("definitions").beginArray();
        kept.forEach(definition -> definition.write(request));
        Json answer = query(request.endArray(), RESTORE_TIMEOUT);
        definitions.replaceWith(JsonFields.elements(answer, "changes"));
        return JsonFields.texts(answer, "lost");
    }

    /** What will become of the definitions when the next JVM starts. */
    String restartSummary() {
        List<Definition> kept = definitions.restorable();
        String names = describeDefinitions("", kept, false);
        String values = describeDefinitions("", kept, true);
        return "A fresh session starts."
                + (names.isEmpty() ? "" : " It will have: " + names)
                + (values.isEmpty() ? "" : " The values of these are lost: " + values);
    }

    private String notice(String how, List<String> lost) {
        var text = new StringBuilder("The session's JVM " + how + "; a fresh one was started.");
        List<Definition> kept = definitions.restorable();
        text.append(describeDefinitions(" Kept: ", kept, false));
        text.append(
                describeDefinitions(" Declared again but with their values lost: ", kept, true));
        if (!lost.isEmpty()) {
            text.append(" Gone: ").append(String.join(", ", lost)).append('.');
        }
        return text.toString();
    }

    private static String describeDefinitions(
            String title, List<Definition> kept, boolean variables) {
        List<String> names =
                kept.stream()
                        .filter(definition -> definition.kind().equals("variable") == variables)
                        .map(Definition::signature)
                        .toList();
        if (names.isEmpty()) {
            return "";
        }
        int hidden = names.size() - NAMES_SHOWN_MAX;
        String shown = names.stream().limit(NAMES_SHOWN_MAX).collect(Collectors.joining(", "));
        return title + shown + (hidden > 0 ? " and " + hidden + " more." : ".");
    }
}
