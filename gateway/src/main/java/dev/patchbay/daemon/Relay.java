package dev.patchbay.daemon;

import dev.patchbay.daemon.RelayedRequest.Line;
import dev.patchbay.daemon.SessionRecord.Loss;
import dev.patchbay.daemon.SessionRecord.Route;
import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.stdio.LineReader;
import dev.patchbay.stdio.LineWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Copies the lines of one client to a gateway in another process, and back. If that process ends,
 * the relay attaches to the next one and continues the session there. Every request of the client
 * gets one answer.
 */
public final class Relay {
    /** A link that ends sooner counts as failed. */
    private static final Duration SHORT_LIFE = Duration.ofSeconds(1);

    /** After so many failed links in a row, the next one waits for a message of the client. */
    private static final int FAILED_LINKS_MAX = 5;

    /** Opens connections to gateways. */
    public interface Connector {
        /**
         * Opens a connection.
         *
         * @param questionIdMin the first id that the gateway may use for requests to the client
         * @throws IOException if there is no gateway and none can be started
         */
        DaemonConnector.Attached connect(long questionIdMin) throws IOException;
    }

    private final Connector connector;
    private final DaemonConnector.Attached first;
    private final LineWriter toClient;
    private final Consumer<String> warn;
    private final SessionRecord record;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);

    /** Guards what follows, and the order of what is sent to gateways. */
    private final ReentrantLock sending = new ReentrantLock();

    private final Map<Integer, RelayLink> links = new HashMap<>();

    /** Where new requests go; null if there is no gateway at the moment. */
    private @Nullable RelayLink current;

    private int linkCount;
    private int failedLinks;
    private long linkedSince;
    private boolean isInputEnded;
    private boolean isPaused;
    private final CountDownLatch ended = new CountDownLatch(1);

    /**
     * @param first the connection to begin with
     * @param warn takes messages for the user
     */
    public Relay(
            Connector connector,
            DaemonConnector.Attached first,
            LineWriter toClient,
            Consumer<String> warn) {
        this.connector = connector;
        this.first = first;
        this.toClient = toClient;
        this.warn = warn;
        this.record = new SessionRecord("patchbay-relay-" + System.nanoTime() + "-");
    }

    /** Copies lines until the input ends. Requests that were read are still answered later. */
    public void run(InputStream fromClient) throws IOException {
        sending.lock();
        try {
            current = addLink(first);
        } finally {
            sending.unlock();
        }
        try {
            new LineReader(fromClient, first.lineBytesMax()).run(new ClientLines());
        } finally {
            endInput();
        }
    }

    /** No more lines of the client follow: every gateway answers what it has, and ends its link. */
    public void endInput() {
        sending.lock();
        try {
            isInputEnded = true;
            links.values().forEach(RelayLink::endOutput);
            if (links.isEmpty()) {
                ended.countDown();
            }
        } finally {
            sending.unlock();
        }
    }

    /** Waits until everything is answered after the end of the input. */
    public boolean awaitEnd(Duration timeout) throws InterruptedException {
        return ended.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    private RelayLink addLink(DaemonConnector.Attached attached) {
        var link = new RelayLink(++linkCount, attached.socket());
        links.put(link.number(), link);
        linkedSince = System.nanoTime();
        Thread.ofPlatform().daemon().name("gateway " + link.number()).start(() -> read(link));
        return link;
    }

    private void read(RelayLink link) {
        try {
            new LineReader(link.input(), Integer.MAX_VALUE).run(new GatewayLines(link));
        } catch (IOException _) {
            // The daemon has ended; what it did not answer is known.
        } catch (RuntimeException | Error e) {
            warn.accept("patchbay: A message could not be relayed: " + e);
        } finally {
            onLinkEnded(link);
        }
    }

    /** Sends a line of the client where it belongs. */
    private void relay(DecodedFrame frame, Line line) {
        sending.lock();
        try {
            if (current == null) {
                reconnect();
            }
            int to = current == null ? 0 : current.number();
            switch (record.onClientFrame(frame, line, to)) {
                case Route.Answer(EncodedJson answer) -> answerClient(answer);
                case Route.Forward(int number, RelayedRequest request) ->
                        forward(line, links.get(number), request);
                case Route.Drop() -> {}
            }
        } finally {
            sending.unlock();
        }
    }

    private void forward(Line line, @Nullable RelayLink link, @Nullable RelayedRequest request) {
        if (link == null) {
            if (request != null) {
                answerClient(record.refuse(request));
            }
        } else if (link.send(line) && request != null) {
            record.markSent(request);
        }
    }

    /** Answers what is lost with a link, and continues the session over another one. */
    private void onLinkEnded(RelayLink link) {
        sending.lock();
        try {
            link.close();
            links.remove(link.number());
            Loss loss = record.onLinkEnded(link.number());
            loss.toClient().forEach(this::answerClient);
            if (link == current) {
                current = null;
                boolean isShort = System.nanoTime() - linkedSince < SHORT_LIFE.toNanos();
                failedLinks = isShort ? failedLinks + 1 : 0;
                boolean isOver = isInputEnded && loss.toRepeat().isEmpty();
                if (!isOver && !isPaused && failedLinks < FAILED_LINKS_MAX) {
                    reconnect();
                }
            }
            repeat(loss);
            RelayLink next = current;
            if (isInputEnded && next != null) {
                next.endOutput();
            } else if (isInputEnded && links.isEmpty()) {
                ended.countDown();
            }
        } finally {
            sending.unlock();
        }
    }

    private void repeat(Loss loss) {
        RelayLink link = current;
        for (RelayedRequest request : loss.toRepeat()) {
            if (link == null) {
                answerClient(record.refuse(request));
            } else {
                repeat(request, link);
            }
        }
        if (link != null && !loss.toRepeat().isEmpty()) {
            record.messagesAfterRepeats().forEach(link::send);
        }
    }

    private void repeat(RelayedRequest request, RelayLink link) {
        Line line = request.line();
        if (line != null && record.moveTo(request, link.number()) && link.send(line)) {
            record.markSent(request);
        }
    }

    /** Attaches to a gateway and tells it the state of the session. */
    private void reconnect() {
        isPaused = false;
        try {
            RelayLink link = addLink(connector.connect(record.nextQuestionId()));
            record.restoringMessages().forEach(link::send);
            current = link;
            record.missedNotifications().forEach(this::answerClient);
        } catch (IOException | RuntimeException e) {
            warn.accept("patchbay: The background gateway is not available: " + e.getMessage());
        }
    }

    /**
     * Moves to another gateway if the daemon of the link has asked for that. The present gateway
     * still answers what it has.
     */
    private void move(RelayLink link) {
        sending.lock();
        try {
            if (link == current && !isInputEnded) {
                reconnect();
                RelayLink next = current;
                if (next != null && link != next) {
                    record.listening(link.number()).forEach(request -> repeat(request, next));
                }
            }
        } finally {
            sending.unlock();
        }
        endIfUnused(link);
    }

    /** Ends a link that the client has left, after the last answer. */
    private void endIfUnused(RelayLink link) {
        sending.lock();
        try {
            if (link != current && !record.hasPending(link.number())) {
                link.endOutput();
            }
        } finally {
            sending.unlock();
        }
    }

    private void answerClient(EncodedJson message) {
        try {
            toClient.send(message);
        } catch (IOException _) {
            // The client is gone; whoever reads its input notices too.
        }
    }

    /** Takes the lines of the client. */
    private final class ClientLines implements LineReader.LineSink {
        @Override
        public void onLine(byte[] bytes, int length) {
            relay(decoder.decode(bytes, 0, length), new Line(bytes, length));
        }

        /** Such a frame is malformed; it is answered here. */
        @Override
        public void onSkippedLine(MemberFinder finder, String why) {
            relay(Decoder.rejectedFrame(finder, why), new Line(new byte[0], 0));
        }
    }

    /** Takes the lines of a gateway. */
    private final class GatewayLines implements LineReader.LineSink {
        private final RelayLink link;
        private final GatewayLineFilter filter;
        private final ReadReports reports;
        private boolean isMoveWanted;
        private boolean isMoving;

        GatewayLines(RelayLink link) {
            this.link = link;
            this.filter = new GatewayLineFilter(record, link.number());
            this.reports = new ReadReports();
        }

        @Override
        public void onLine(byte[] bytes, int length) {
            if (ControlLine.isControl(bytes, length)) {
                onControl(ControlLine.parse(bytes, length));
            } else if (filter.isForClient(bytes, length)) {
                answerClient(EncodedJson.ofValidated(bytes, length));
            }
            if (isMoveWanted) {
                followMove();
            }
            report(length + 1L);
        }

        /** On another thread: attaching takes a while, and answers must not wait for it. */
        private void followMove() {
            if (isMoving) {
                endIfUnused(link);
            } else if (!record.isInitializing()) {
                isMoving = true;
                Thread.ofPlatform().daemon().name("move").start(() -> move(link));
            }
        }

        private void onControl(@Nullable ControlLine line) {
            switch (line) {
                case ControlLine.Move _ -> isMoveWanted = true;
                case ControlLine.Stopped _ -> pause();
                case ControlLine.Read _ -> {}
                case null -> {}
            }
        }

        private void pause() {
            sending.lock();
            try {
                isPaused = true;
            } finally {
                sending.unlock();
            }
        }

        /** Tells the daemon now and then how much was read; it must not wait for that. */
        private void report(long bytes) {
            if (reports.isDue(bytes) && sending.tryLock()) {
                try {
                    link.send(reports.next().encode());
                } finally {
                    sending.unlock();
                }
            }
        }

        @Override
        public void onSkippedLine(MemberFinder finder, String why) {
            warn.accept("patchbay: A message of the background gateway is lost: " + why);
        }
    }
}
