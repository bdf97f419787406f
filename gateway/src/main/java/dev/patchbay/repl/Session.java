package dev.patchbay.repl;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.Conversation.Reply;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A live Java session: code that is evaluated in it defines things for the code that follows. It
 * runs in a JVM of its own and may do to it whatever it likes; the session then goes on in a new
 * one with the same definitions. Calls from many threads are done one after the other.
 */
public final class Session implements AutoCloseable {
    private static final System.Logger log = System.getLogger(Session.class.getName());

    static final int CODE_CHARS_MAX = 1_000_000;
    static final int RUNS_MAX = 100_000;
    private static final int VALUES_MAX = 500;
    private static final int BACKGROUND_CHARS_MAX = 20_000;
    private static final Duration QUERY_LIMIT = Duration.ofSeconds(30);
    private static final Duration VALUES_LIMIT = Duration.ofSeconds(5);

    /** Longer than any evaluation may take. */
    private static final Duration BUSY_PATIENCE = Limits.TIMEOUT_GREATEST.plusSeconds(30);

    /** Definitions, and by the id of a variable its value as text. */
    public record Listing(List<Definition> definitions, Map<String, String> values) {}

    /** Something to do while no other call is being done. */
    private interface Turn<T> {
        T take() throws SessionException, InterruptedException;
    }

    private final ReentrantLock lock = new ReentrantLock(true);
    private final SessionJvm jvm;
    private volatile Limits limits;
    private volatile Transcript background = new Transcript(BACKGROUND_CHARS_MAX);
    private volatile @Nullable Transcript current;
    private volatile @Nullable ErrorReport lastError;

    public Session(SessionOptions options, Limits limits) {
        this.limits = limits;
        this.jvm = new SessionJvm(options, this::printed);
    }

    /** Starts the JVM behind the caller's back, so that the first evaluation need not wait. */
    public void warm() {
        Thread.ofVirtual()
                .name("repl warm")
                .start(
                        () -> {
                            try {
                                turn(jvm::running);
                            } catch (SessionException e) {
                                log.log(WARNING, "The session does not start: {0}", e.getMessage());
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    public Limits limits() {
        return limits;
    }

    public void limit(Limits changed) {
        limits = changed;
    }

    /** The exception that an evaluation ended with last. */
    public Optional<ErrorReport> lastError() {
        return Optional.ofNullable(lastError);
    }

    /** What happened to the session since it was asked last; empty if nothing did. */
    public String takeNotice() {
        return jvm.takeNotice();
    }

    /** Evaluates code within limits; an interrupt stops it. */
    public Evaluation evaluate(String code, Limits within, Progress progress)
            throws SessionException, InterruptedException {
        return evaluate(code, 1, within, progress);
    }

    /** Evaluates code, the last snippet of it so many times. */
    public Evaluation evaluate(String code, int runs, Limits within, Progress progress)
            throws SessionException, InterruptedException {
        if (code.length() > CODE_CHARS_MAX) {
            throw new SessionException("The code is longer than " + CODE_CHARS_MAX + " characters");
        }
        if (runs < 1 || runs > RUNS_MAX) {
            throw new SessionException("runs must be between 1 and " + RUNS_MAX);
        }
        return turn(() -> run(code, runs, within, progress));
    }

    private Evaluation run(String code, int runs, Limits within, Progress progress)
            throws SessionException, InterruptedException {
        Kernel kernel = jvm.running();
        var printed = new Transcript(within.outputCharsMax());
        current = printed;
        try {
            var evaluation =
                    new EvaluationRun(jvm, within, printed).run(kernel, code, runs, progress);
            evaluation.error().ifPresent(error -> lastError = error);
            return evaluation;
        } finally {
            current = null;
            if (jvm.isDown()) {
                warm();
            }
        }
    }

    /** What threads left running printed since the last call of this; and no evaluation did. */
    public Transcript takeBackground() {
        Transcript taken = background;
        background = new Transcript(BACKGROUND_CHARS_MAX);
        return taken;
    }

    /** Checks whether code is complete and would compile, without running it. */
    public Check check(String code) throws SessionException, InterruptedException {
        return turn(
                () -> {
                    JsonWriter request = jvm.running().request("check").member("code", code);
                    return Check.from(jvm.ask(request, QUERY_LIMIT));
                });
    }

    /** All that was defined, with the values of variables as far as they can be told in time. */
    public Listing definitions() throws SessionException, InterruptedException {
        return turn(
                () -> {
                    JsonWriter request = jvm.running().request("definitions");
                    Json answer = jvm.ask(request, QUERY_LIMIT);
                    var definitions = new ArrayList<Definition>();
                    Fields.elements(answer, "definitions")
                            .forEach(one -> definitions.add(Definition.from(one)));
                    return new Listing(List.copyOf(definitions), values(definitions));
                });
    }

    /** The values of variables; none if telling them fails, which is their own code's fault. */
    private Map<String, String> values(List<Definition> definitions)
            throws SessionException, InterruptedException {
        Kernel kernel = jvm.running();
        JsonWriter request = kernel.request("values").name("ids").beginArray();
        definitions.stream()
                .filter(definition -> definition.kind().equals("variable"))
                .limit(VALUES_MAX)
                .forEach(definition -> request.string(definition.id()));
        request.endArray().endObject();
        var conversation = new Conversation(kernel, VALUES_LIMIT, Progress.NONE, event -> {});
        var values = new HashMap<String, String>();
        if (conversation.run(request.toJson()) instanceof Reply.Answered(Json answer)) {
            Json told = answer.member("values");
            for (Json.Member member : told == null ? List.<Json.Member>of() : told.members()) {
                values.put(member.name(), member.value().text());
            }
        }
        return values;
    }

    /** Describes a class, a member or a definition, as the kernel tells it. */
    public Json describe(String name) throws SessionException, InterruptedException {
        return turn(
                () -> {
                    JsonWriter request = jvm.running().request("describe").member("name", name);
                    return jvm.ask(request, QUERY_LIMIT);
                });
    }

    /** The classes whose name fits a pattern. */
    public Json search(String pattern, int countMax) throws SessionException, InterruptedException {
        return turn(
                () -> {
                    JsonWriter request = jvm.running().request("search").member("pattern", pattern);
                    return jvm.ask(request.member("countMax", countMax), QUERY_LIMIT);
                });
    }

    /** What may stand at a position of the code. */
    public Json complete(String code, int position) throws SessionException, InterruptedException {
        return turn(
                () -> {
                    JsonWriter request = jvm.running().request("complete").member("code", code);
                    return jvm.ask(request.member("position", position), QUERY_LIMIT);
                });
    }

    /** Makes the classes of jars and folders known to the code that follows. */
    public void addToClasspath(List<Path> paths) throws SessionException, InterruptedException {
        for (Path path : paths) {
            if (!Files.isReadable(path)) {
                throw new SessionException("There is nothing to read at " + path);
            }
        }
        List<String> added = paths.stream().map(path -> path.toAbsolutePath().toString()).toList();
        turn(
                () -> {
                    JsonWriter request =
                            jvm.running().request("classpath").name("paths").beginArray();
                    added.forEach(request::string);
                    jvm.ask(request.endArray(), QUERY_LIMIT);
                    added.stream()
                            .filter(path -> !jvm.classpath().contains(path))
                            .forEach(jvm.classpath()::add);
                    return added;
                });
    }

    /** What has been added to the class path. */
    public List<String> classpath() throws SessionException, InterruptedException {
        return turn(() -> List.copyOf(jvm.classpath()));
    }

    /** The source of a Java file as a session can evaluate it, and the call of its main method. */
    FileSource prepare(String source) throws SessionException, InterruptedException {
        return turn(
                () -> {
                    JsonWriter request = jvm.running().request("file").member("source", source);
                    Json answer = jvm.ask(request, QUERY_LIMIT);
                    return new FileSource(
                            Fields.text(answer, "code"), Fields.text(answer, "main"), List.of());
                });
    }

    /** Ends whatever runs, and forgets all definitions and the class path. Limits stay. */
    public void reset() throws SessionException, InterruptedException {
        jvm.end("was reset");
        turn(
                () -> {
                    jvm.forget();
                    lastError = null;
                    background = new Transcript(BACKGROUND_CHARS_MAX);
                    return "";
                });
        warm();
    }

    @Override
    public void close() {
        jvm.close();
    }

    private void printed(Printed.Target target, String text) {
        Transcript running = current;
        (running == null ? background : running).printed(target, text);
    }

    private <T> T turn(Turn<T> turn) throws SessionException, InterruptedException {
        if (!lock.tryLock(BUSY_PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new SessionException("The session is busy");
        }
        try {
            return turn.take();
        } finally {
            lock.unlock();
        }
    }
}
