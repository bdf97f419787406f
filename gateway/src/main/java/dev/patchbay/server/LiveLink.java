package dev.patchbay.server;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonWriter;
import dev.patchbay.jsonrpc.CallOutcome;
import dev.patchbay.jsonrpc.Calls;
import dev.patchbay.jsonrpc.Connection;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Notification;
import dev.patchbay.mcp.Era;
import dev.patchbay.mcp.Implementation;
import dev.patchbay.mcp.Tasks;
import dev.patchbay.server.Opener.Opened;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A link over one connection. Before its handshake only the handshake itself has it in hand. */
final class LiveLink implements Link {
    private static final int QUESTIONS_MAX = 256;

    /** What was agreed in the handshake. */
    private record Agreed(LinkFacts facts, Envelope envelope) {
        boolean isModern() {
            return facts.version().era() == Era.MODERN;
        }
    }

    private final Opened opened;
    private final Connection connection;
    private final ChangeFeed changes;
    private final Flights flights = new Flights();
    private final ServerVoice voice;
    private final ToldLevel level = new ToldLevel(this::levelCall);
    private final int callsMax;
    private final Semaphore places;
    private final AtomicBoolean open = new AtomicBoolean(true);
    private volatile @Nullable Agreed agreed;
    private volatile @Nullable String closedWhy;

    private LiveLink(ServerId server, Opened opened, LinkListener listener, int callsMax) {
        this.callsMax = callsMax;
        this.places = new Semaphore(callsMax, true);
        this.opened = opened;
        this.changes = new ChangeFeed(server, new OwnCalls(), listener, Pause.REAL);
        this.voice = new ServerVoice(server, flights, listener, changes::acknowledged);
        this.connection =
                new Connection(opened.channel(), voice, QUESTIONS_MAX, this::tellCancelled);
    }

    /** Begins to listen to what was opened. The end is told once, whatever brings it. */
    static LiveLink over(
            ServerId server,
            Opened opened,
            LinkListener listener,
            int callsMax,
            Consumer<LiveLink> ended) {
        var link = new LiveLink(server, opened, listener, callsMax);
        Thread.ofVirtual().name("link " + server).start(() -> link.run(ended));
        return link;
    }

    private void run(Consumer<LiveLink> ended) {
        try {
            connection.run();
        } catch (IOException e) {
            log().log(DEBUG, "A link ended", e);
        } catch (RuntimeException e) {
            log().log(ERROR, "A link failed", e);
            opened.abort("the gateway failed to read it");
        } finally {
            open.set(false);
            ended.accept(this);
        }
    }

    /** Calls go out from now on as the version wants them. */
    void establish(LinkFacts facts, Implementation client) {
        voice.speaks(facts.version().era());
        opened.agreed(facts.version());
        level.agreed(facts);
        var now = new Agreed(facts, new Envelope(facts.version(), client));
        agreed = now;
        if (now.isModern()) {
            changes.listen(facts.capabilities());
        }
    }

    @Override
    public LinkFacts facts() {
        return agreed().facts;
    }

    private Agreed agreed() {
        Agreed known = agreed;
        if (known == null) {
            throw new IllegalStateException("The handshake is not over");
        }
        return known;
    }

    @Override
    public CallOutcome call(String method, Json params, CallOptions options)
            throws InterruptedException {
        Agreed now = agreed();
        if (now.isModern()) {
            CallOutcome told = changes.serve(method, params, options.timeout());
            if (told != null) {
                return told;
            }
        }
        String least = params.memberText("level");
        if (least != null && method.equals(ToldLevel.METHOD)) {
            return level.tell(least);
        }
        level.lowerTo(options.logLevel());
        return send(now.envelope, method, params, options);
    }

    private CallOutcome levelCall(String method, Json params, Duration timeout)
            throws InterruptedException {
        return ownCall(method, params, CallOptions.own(timeout), _ -> {});
    }

    private CallOutcome send(Envelope envelope, String method, Json params, CallOptions options)
            throws InterruptedException {
        long deadline = System.nanoTime() + options.timeout().toNanos();
        String task = method.equals("tasks/result") ? params.memberText(Tasks.TASK_ID) : null;
        var flight = new Flight(options.caller(), places, task);
        try {
            flights.enter(flight, options.timeout());
            if (!flight.take(left(deadline))) {
                return new CallOutcome.NotSent(
                        "It is busy with %d other requests".formatted(callsMax));
            }
            Duration left = left(deadline);
            CallOutcome outcome =
                    connection
                            .calls()
                            .call(
                                    method,
                                    id -> {
                                        flights.begin(id, flight);
                                        return envelope.around(params, options, id);
                                    },
                                    new Calls.Clock(left, flight::pausedNanos));
            if (options.caller().wantsProgress()
                    && outcome instanceof CallOutcome.Result(Json result)
                    && Tasks.begun(result) != null) {
                flights.last(flight);
            }
            return judged(outcome, left);
        } finally {
            flights.end(flight);
        }
    }

    private static Duration left(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
    }

    @Override
    public @Nullable Runnable pass(
            String method, Json params, CallOptions options, Consumer<CallOutcome> receiver) {
        var flight = new Flight(options.caller(), places);
        if (!level.isEnoughFor(options.logLevel()) || !flights.tryEnter(flight) || !flight.take()) {
            flights.end(flight);
            return null;
        }
        Runnable cancel;
        try {
            cancel = begun(flight, method, params, options, receiver);
        } catch (RuntimeException | Error e) {
            flights.end(flight); // its place is for others
            throw e;
        }
        if (cancel == null) {
            flights.end(flight);
            return null;
        }
        return () -> {
            cancel.run();
            flights.end(flight);
        };
    }

    private @Nullable Runnable begun(
            Flight flight,
            String method,
            Json params,
            CallOptions options,
            Consumer<CallOutcome> receiver) {
        Envelope envelope = agreed().envelope;
        return connection
                .calls()
                .begin(
                        method,
                        id -> {
                            flights.begin(id, flight);
                            return envelope.around(params, options, id);
                        },
                        new Calls.Clock(options.timeout(), flight::pausedNanos),
                        outcome -> {
                            flights.end(flight);
                            receiver.accept(judged(outcome, options.timeout()));
                        });
    }

    /** The requests for changes. */
    private final class OwnCalls implements ChangeFeed.Sender {
        @Override
        public CallOutcome call(String method, Json params, CallOptions options, LongConsumer id)
                throws InterruptedException {
            return ownCall(method, params, options, id);
        }

        @Override
        public boolean isOpen() {
            return LiveLink.this.isOpen();
        }
    }

    /** A call of the link's own, which takes no place from others. */
    private CallOutcome ownCall(String method, Json params, CallOptions options, LongConsumer begun)
            throws InterruptedException {
        Json around = agreed().envelope.around(params, options, 0);
        Duration timeout = options.timeout();
        return judged(
                connection
                        .calls()
                        .call(
                                method,
                                id -> {
                                    begun.accept(id);
                                    return around;
                                },
                                timeout),
                timeout);
    }

    /** A call of the handshake, whose params are complete. */
    CallOutcome plainCall(String method, Json params, Duration timeout)
            throws InterruptedException {
        return judged(connection.calls().call(method, _ -> params, timeout), timeout);
    }

    private CallOutcome judged(CallOutcome outcome, Duration timeout) {
        return switch (outcome) {
            case CallOutcome.Result(Json value) when !value.isObject() ->
                    new CallOutcome.Invalid("its result is no object");
            case CallOutcome.Result result -> result;
            case CallOutcome.Refused refused -> refused;
            case CallOutcome.Invalid invalid -> invalid;
            case CallOutcome.Unauthorized unauthorized -> unauthorized;
            case CallOutcome.Lost(String why) -> {
                String ended = lastWords();
                yield new CallOutcome.Lost(ended.isEmpty() ? why : ended);
            }
            case CallOutcome.TimedOut timedOut -> {
                abortIfStuck(timeout);
                yield timedOut;
            }
            case CallOutcome.NotSent(String why) -> {
                abortIfStuck(timeout);
                yield new CallOutcome.NotSent(isOpen() ? why : lastWords());
            }
        };
    }

    /**
     * Ends a server that has taken nothing for as long as a call has waited: the bytes in the pipe
     * cannot be taken back, and the thread that writes them cannot be freed otherwise.
     */
    private void abortIfStuck(Duration timeout) {
        if (opened.stalled().toMillis() > timeout.toMillis() * 9 / 10) {
            opened.abort("it does not read what it is sent");
        }
    }

    /** Tells the server that nobody waits for a call any more. Must not wait for it to listen. */
    private void tellCancelled(long id, String why) {
        if (agreed == null) {
            return; // before the handshake is over nothing else may be said
        }
        Json params =
                new JsonWriter()
                        .beginObject()
                        .member("requestId", id)
                        .member("reason", why)
                        .endObject()
                        .toJson();
        send("notifications/cancelled", params);
    }

    @Override
    public void notify(String method, Json params) {
        send(method, params);
    }

    void send(String method, @Nullable Json params) {
        try {
            var text = Encoder.encode(new Notification(method, params));
            if (!opened.channel().trySend(text, Duration.ZERO)) {
                log().log(DEBUG, "Server does not read: {0} dropped", method);
            }
        } catch (IOException e) {
            log().log(DEBUG, "Server is gone", e);
        }
    }

    @Override
    public int inFlight() {
        return flights.size();
    }

    @Override
    public boolean isOpen() {
        // Whoever lost a call over this link must not be given it for the next one.
        return open.get() && !connection.calls().isEnded();
    }

    @Override
    public void close(String why) {
        closedWhy = why;
        open.set(false);
        connection.calls().end(why);
        opened.channel().close();
    }

    /** Ends the link and what is behind it without giving it time. */
    void abort(String why) {
        closedWhy = why;
        open.set(false);
        connection.calls().end(why);
        opened.abort(why);
    }

    boolean awaitEnd(Duration patience) throws InterruptedException {
        return opened.awaitEnd(patience);
    }

    boolean hasEnded() {
        try {
            return opened.awaitEnd(Duration.ZERO);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** For how long the server asked to be left alone. */
    Duration retryAfter() {
        return opened.retryAfter();
    }

    boolean isAtWork() {
        return opened.isAtWork();
    }

    /** Whether it tells of the era if the server keeps silent, or ends. */
    boolean isEraToldBySilence() {
        return opened.isEraToldBySilence();
    }

    /** What the server wrote where only messages belong. */
    Chatter chatter() {
        return opened.chatter();
    }

    /** Why the link ended. */
    String lastWords() {
        String why = closedWhy;
        return why != null ? why : opened.lastWords();
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(LiveLink.class.getName());
    }
}
