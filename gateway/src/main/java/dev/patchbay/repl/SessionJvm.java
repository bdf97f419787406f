package dev.patchbay.repl;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.Conversation.Reply;

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
    private static final Duration RESTORE_LIMIT = Duration.ofSeconds(60);

    private static final int NAMES_SHOWN_MAX = 40;
    private static final int NOTICE_CHARS_MAX = 8_000;

    private final SessionOptions options;
    private final Printed sink;
    private final Journal journal = new Journal();
    private final List<String> classpath = new ArrayList<>();
    private volatile @Nullable Kernel kernel;
    private volatile String endedBecause = "";
    private volatile boolean closed;
    private final AtomicReference<String> notice = new AtomicReference<>("");

    SessionJvm(SessionOptions options, Printed sink) {
        this.options = options;
        this.sink = sink;
    }

    Journal journal() {
        return journal;
    }

    List<String> classpath() {
        return classpath;
    }

    /** What happened to the session since the last call; empty if nothing did. */
    String takeNotice() {
        return notice.getAndSet("");
    }

    /** Whether no JVM runs. */
    boolean isDown() {
        Kernel running = kernel;
        return running == null || running.isDead();
    }

    /** The running JVM, started first if there is none. */
    Kernel running() throws SessionException, InterruptedException {
        Kernel last = kernel;
        if (last != null && !last.isDead()) {
            return last;
        }
        String how = last == null ? "" : ending(last);
        Kernel fresh = start();
        endedBecause = "";
        var lost = restore(fresh);
        if (!how.isEmpty()) {
            note(notice(how, lost));
        }
        return fresh;
    }

    private void note(String text) {
        notice.updateAndGet(
                last -> {
                    String all = last.isEmpty() ? text : last + "\n" + text;
                    return all.length() > NOTICE_CHARS_MAX ? text : all;
                });
    }

    /** How the JVM ended that ran last. */
    String ending() {
        Kernel last = kernel;
        return last == null ? "" : ending(last);
    }

    private String ending(Kernel last) {
        String reason = endedBecause;
        return reason.isEmpty() ? last.ending() : reason;
    }

    /** Ends the JVM for a reason, which is told when the next one starts. Any thread may do it. */
    void end(String reason) {
        endedBecause = reason;
        Kernel running = kernel;
        if (running != null) {
            running.close();
        }
    }

    /** Ends the JVM, and with it all that was defined. */
    void forget() {
        end("");
        kernel = null;
        journal.clear();
        classpath.clear();
        notice.set("");
    }

    /** Ends the JVM for good. */
    void close() {
        closed = true;
        end("closed");
    }

    /** Asks for something that does not run code of the user's. */
    Json ask(JsonWriter request, Duration limit) throws SessionException, InterruptedException {
        Kernel running = running();
        var conversation = new Conversation(running, limit, Progress.NONE, event -> {});
        return switch (conversation.run(request.endObject().toJson())) {
            case Reply.Answered(Json answer) when Fields.text(answer, "say").equals("done") ->
                    answer;
            case Reply.Answered(Json answer) ->
                    throw new SessionException("It failed: " + Fields.text(answer, "text"));
            case Reply.Stopped() ->
                    throw new SessionException(
                            "It took longer than " + limit.toSeconds() + " s and was stopped");
            case Reply.Gone(boolean _) ->
                    throw new SessionException(
                            "The session's JVM " + ending(running) + "; a new one starts");
        };
    }

    private Kernel start() throws SessionException, InterruptedException {
        Kernel last = kernel;
        if (last != null) {
            last.close();
        }
        if (closed) {
            throw new SessionException("The session is closed");
        }
        try {
            Kernel fresh = Kernel.start(options, sink);
            kernel = fresh;
            Optional<Json> ready = fresh.next(options.startTimeout());
            if (ready.isEmpty() || fresh.isDead()) {
                fresh.close();
                throw new SessionException("The JVM of the session " + fresh.ending());
            }
            return fresh;
        } catch (IOException e) {
            throw new SessionException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Gives a new JVM the class path and the definitions of the last one; what it did not take. */
    private List<String> restore(Kernel fresh) throws SessionException, InterruptedException {
        if (!classpath.isEmpty()) {
            JsonWriter request = fresh.request("classpath").name("paths").beginArray();
            classpath.forEach(request::string);
            ask(request.endArray(), RESTORE_LIMIT);
        }
        List<Definition> kept = journal.restorable();
        if (kept.isEmpty() && journal.lastId() == 0) {
            return List.of();
        }
        JsonWriter request = fresh.request("restore").member("lastId", journal.lastId());
        request.name("definitions").beginArray();
        kept.forEach(definition -> definition.write(request));
        Json answer = ask(request.endArray(), RESTORE_LIMIT);
        journal.replaceBy(Fields.elements(answer, "changes"));
        return Fields.texts(answer, "lost");
    }

    /** What will become of the definitions when the next JVM starts. */
    String prospect() {
        List<Definition> kept = journal.restorable();
        String names = part("", kept, false);
        String values = part("", kept, true);
        return "A fresh session starts."
                + (names.isEmpty() ? "" : " It will have: " + names)
                + (values.isEmpty() ? "" : " The values of these are lost: " + values);
    }

    private String notice(String how, List<String> lost) {
        var text = new StringBuilder("The session's JVM " + how + "; a fresh one was started.");
        List<Definition> kept = journal.restorable();
        text.append(part(" Kept: ", kept, false));
        text.append(part(" Declared again but with their values lost: ", kept, true));
        if (!lost.isEmpty()) {
            text.append(" Gone: ").append(String.join(", ", lost)).append('.');
        }
        return text.toString();
    }

    private static String part(String title, List<Definition> kept, boolean variables) {
        List<String> names =
                kept.stream()
                        .filter(definition -> definition.kind().equals("variable") == variables)
                        .map(Definition::headline)
                        .toList();
        if (names.isEmpty()) {
            return "";
        }
        int hidden = names.size() - NAMES_SHOWN_MAX;
        String shown = names.stream().limit(NAMES_SHOWN_MAX).collect(Collectors.joining(", "));
        return title + shown + (hidden > 0 ? " and " + hidden + " more." : ".");
    }
}
