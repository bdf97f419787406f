package dev.patchbay.repl;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.repl.KernelCall.Outcome;

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
import java.util.function.Consumer;

/**
 * A live Java session: code that is evaluated in it defines things for the code that follows. It
 * runs in a JVM of its own and may do to it whatever it likes; the session then goes on in a new
 * one with the same definitions. Calls from many threads are done one after the other.
 */
public final class ReplSession implements AutoCloseable {
    private static final System.Logger log = System.getLogger(ReplSession.class.getName());

    static final int CODE_CHARS_MAX = 1_000_000;
    static final int RUNS_MAX = 100_000;
    private static final int VALUES_MAX = 500;
    private static final int BACKGROUND_CHARS_MAX = 20_000;
    private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration VALUES_TIMEOUT = Duration.ofSeconds(5);

    /** Longer than any evaluation may take. */
    private static final Duration LOCK_TIMEOUT = EvaluationLimits.TIMEOUT_MAX.plusSeconds(30);

    /** Definitions, and by the id of a variable its value as text. */
    public record DefinitionList(List<Definition> definitions, Map<String, String> values) {}

    /** What a session is like, as far as it can be told without waiting for it. */
    record SessionSummary(String state, int definitions, int classpathEntries) {}

    /** Something to do while no other call is being done. */
    private interface LockedAction<T> {
        T run() throws ReplException, InterruptedException;
    }

    private final ReentrantLock lock = new ReentrantLock(true);
    private final SessionJvm jvm;
    private volatile EvaluationLimits limits;
    private volatile CapturedOutput backgroundOutput = new CapturedOutput(BACKGROUND_CHARS_MAX);
    private volatile @Nullable CapturedOutput currentOutput;
    private volatile @Nullable ErrorReport lastError;
    private volatile SessionSummary lastSummary = new SessionSummary("not running", 0, 0);

    public ReplSession(ReplSessionOptions options, EvaluationLimits limits) {
        this.limits = limits;
        this.jvm = new SessionJvm(options, this::onOutput);
    }

    /** Starts the JVM behind the caller's back, so that the first evaluation need not wait. */
    public void startInBackground() {
        Thread.ofVirtual()
                .name("repl warm")
                .start(
                        () -> {
                            try {
                                withLock(jvm::ensureRunning);
                            } catch (ReplException e) {
                                log.log(WARNING, "The session does not start: {0}", e.getMessage());
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
    }

    public EvaluationLimits limits() {
        return limits;
    }

    public void changeLimits(EvaluationLimits changed) {
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
    public EvaluationResult evaluate(
            String code, EvaluationLimits within, ProgressListener progress)
            throws ReplException, InterruptedException {
        return evaluate(EvaluationRequest.of(code), within, progress);
    }

    /** Evaluates code as often as asked for, and with a profile if one is asked for. */
    EvaluationResult evaluate(
            EvaluationRequest asked, EvaluationLimits within, ProgressListener progress)
            throws ReplException, InterruptedException {
        if (asked.code().length() > CODE_CHARS_MAX) {
            throw new ReplException("The code is longer than " + CODE_CHARS_MAX + " characters");
        }
        if (asked.runs() < 1 || asked.runs() > RUNS_MAX) {
            throw new ReplException("runs must be between 1 and " + RUNS_MAX);
        }
        return withLock(() -> run(asked, within, progress));
    }

    private EvaluationResult run(
            EvaluationRequest asked, EvaluationLimits within, ProgressListener progress)
            throws ReplException, InterruptedException {
        KernelConnection kernel = jvm.ensureRunning();
        var printed = new CapturedOutput(within.outputCharsMax());
        currentOutput = printed;
        try {
            var evaluation = new EvaluationRun(jvm, within, printed).run(kernel, asked, progress);
            evaluation.error().ifPresent(error -> lastError = error);
            return evaluation;
        } finally {
            currentOutput = null;
            if (jvm.isStopped()) {
                startInBackground();
            }
        }
    }

    /** What threads left running printed since the last call of this; and no evaluation did. */
    public CapturedOutput takeBackgroundOutput() {
        CapturedOutput taken = backgroundOutput;
        backgroundOutput = new CapturedOutput(BACKGROUND_CHARS_MAX);
        return taken;
    }

    /** Checks whether code is complete and would compile, without running it. */
    public CodeCheckResult check(String code) throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request = jvm.ensureRunning().request("check").member("code", code);
                    return CodeCheckResult.from(jvm.query(request, QUERY_TIMEOUT));
                });
    }

    /** All that was defined, with the values of variables as far as they can be told in time. */
    public DefinitionList definitions() throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request = jvm.ensureRunning().request("definitions");
                    Json answer = jvm.query(request, QUERY_TIMEOUT);
                    var definitions = new ArrayList<Definition>();
                    JsonFields.elements(answer, "definitions")
                            .forEach(one -> definitions.add(Definition.from(one)));
                    return new DefinitionList(List.copyOf(definitions), values(definitions));
                });
    }

    /** The values of variables; none if telling them fails, which is their own code's fault. */
    private Map<String, String> values(List<Definition> definitions)
            throws ReplException, InterruptedException {
        KernelConnection kernel = jvm.ensureRunning();
        JsonWriter request = kernel.request("values").name("ids").beginArray();
        definitions.stream()
                .filter(definition -> definition.kind().equals("variable"))
                .limit(VALUES_MAX)
                .forEach(definition -> request.string(definition.id()));
        request.endArray().endObject();
        var conversation =
                new KernelCall(kernel, VALUES_TIMEOUT, ProgressListener.NONE, event -> {});
        var values = new HashMap<String, String>();
        if (conversation.run(request.toJson()) instanceof Outcome.Answered(Json answer)) {
            Json told = answer.member("values");
            for (Json.Member member : told == null ? List.<Json.Member>of() : told.members()) {
                values.put(member.name(), member.value().text());
            }
        }
        return values;
    }

    /** Describes a class, a member or a definition, as the kernel tells it. */
    public Json describe(String name) throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request =
                            jvm.ensureRunning().request("describe").member("name", name);
                    return jvm.query(request, QUERY_TIMEOUT);
                });
    }

    /** The classes whose name fits a pattern. */
    public Json search(String pattern, int countMax) throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request =
                            jvm.ensureRunning().request("search").member("pattern", pattern);
                    return jvm.query(request.member("countMax", countMax), QUERY_TIMEOUT);
                });
    }

    /** What may stand at a position of the code. */
    public Json complete(String code, int position) throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request =
                            jvm.ensureRunning().request("complete").member("code", code);
                    return jvm.query(request.member("position", position), QUERY_TIMEOUT);
                });
    }

    /** Makes the classes of jars and folders known to the code that follows. */
    public void addToClasspath(List<Path> paths) throws ReplException, InterruptedException {
        for (Path path : paths) {
            if (!Files.isReadable(path)) {
                throw new ReplException("There is nothing to read at " + path);
            }
        }
        List<String> added = paths.stream().map(path -> path.toAbsolutePath().toString()).toList();
        withLock(
                () -> {
                    JsonWriter request =
                            jvm.ensureRunning().request("classpath").name("paths").beginArray();
                    added.forEach(request::string);
                    jvm.query(request.endArray(), QUERY_TIMEOUT);
                    added.stream()
                            .filter(path -> !jvm.classpath().contains(path))
                            .forEach(jvm.classpath()::add);
                    return added;
                });
    }

    /** What has been added to the class path. */
    public List<String> classpath() throws ReplException, InterruptedException {
        return withLock(() -> List.copyOf(jvm.classpath()));
    }

    /** Asks the kernel for something, with arguments; the structured result that it answers. */
    Json query(String operation, Consumer<JsonWriter> arguments, Duration limit)
            throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request = jvm.ensureRunning().request(operation);
                    arguments.accept(request);
                    Json result = jvm.query(request, limit).member("result");
                    return result == null ? Json.EMPTY_OBJECT : result;
                });
    }

    /** What the kernel answered, and what was printed meanwhile. */
    record QueryOutput(Json result, CapturedOutput output) {}

    /** As {@link #query}, for what runs code of the user's, within limits. */
    QueryOutput queryWithOutput(
            String operation, Consumer<JsonWriter> arguments, EvaluationLimits within)
            throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request = jvm.ensureRunning().request(operation);
                    request.member("outputChars", within.outputCharsMax());
                    arguments.accept(request);
                    var printed = new CapturedOutput(within.outputCharsMax());
                    currentOutput = printed;
                    try {
                        Json result = jvm.query(request, within.timeout()).member("result");
                        return new QueryOutput(
                                result == null ? Json.EMPTY_OBJECT : result, printed);
                    } finally {
                        currentOutput = null;
                    }
                });
    }

    /** What can be kept of the session. */
    SessionSnapshot snapshot() throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    jvm.ensureRunning();
                    return new SessionSnapshot(jvm.classpath(), jvm.definitions().restorable());
                });
    }

    /** Replaces the session by what was kept; what could not be defined again. */
    List<String> restore(SessionSnapshot kept) throws ReplException, InterruptedException {
        for (String path : kept.classpath()) {
            if (!Files.isReadable(Path.of(path))) {
                throw new ReplException("The class path of the saved session is gone: " + path);
            }
        }
        jvm.end("was replaced by a saved session");
        return withLock(() -> jvm.restoreFrom(kept));
    }

    /** The source of a Java file as a session can evaluate it, and the call of its main method. */
    PreparedSource prepareFile(String source) throws ReplException, InterruptedException {
        return withLock(
                () -> {
                    JsonWriter request =
                            jvm.ensureRunning().request("file").member("source", source);
                    Json answer = jvm.query(request, QUERY_TIMEOUT);
                    return new PreparedSource(
                            JsonFields.text(answer, "code"),
                            JsonFields.text(answer, "main"),
                            List.of());
                });
    }

    /** What the session is like now; while it is busy, what it was like before. */
    SessionSummary summary() {
        if (!lock.tryLock()) {
            SessionSummary last = lastSummary;
            return new SessionSummary("busy", last.definitions(), last.classpathEntries());
        }
        try {
            lastSummary =
                    new SessionSummary(
                            jvm.isStopped() ? "not running" : "idle",
                            jvm.definitions().restorable().size(),
                            jvm.classpath().size());
            return lastSummary;
        } finally {
            lock.unlock();
        }
    }

    /** Ends whatever runs, and forgets all definitions and the class path. Limits stay. */
    public void reset() throws ReplException, InterruptedException {
        jvm.end("was reset");
        withLock(
                () -> {
                    jvm.reset();
                    lastError = null;
                    backgroundOutput = new CapturedOutput(BACKGROUND_CHARS_MAX);
                    return "";
                });
        startInBackground();
    }

    @Override
    public void close() {
        jvm.close();
    }

    private void onOutput(OutputListener.StandardStream target, String text) {
        CapturedOutput running = currentOutput;
        (running == null ? backgroundOutput : running).onOutput(target, text);
    }

    private <T> T withLock(LockedAction<T> turn) throws ReplException, InterruptedException {
        if (!lock.tryLock(LOCK_TIMEOUT.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new ReplException("The session is busy");
        }
        try {
            return turn.run();
        } finally {
            lock.unlock();
        }
    }
}
