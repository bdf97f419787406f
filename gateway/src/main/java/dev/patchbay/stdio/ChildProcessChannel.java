package dev.patchbay.stdio;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.DecodedFrame;
import dev.patchbay.jsonrpc.DecodedFrame.BadResponse;
import dev.patchbay.jsonrpc.DecodedFrame.Batch;
import dev.patchbay.jsonrpc.DecodedFrame.Malformed;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.jsonrpc.Message;
import dev.patchbay.time.Ticker;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;

/**
 * The messages to and from a child. Its output is read by a platform thread of its own: hundreds of
 * silent children read by virtual threads would leave none for anybody else.
 */
final class ChildProcessChannel implements Channel {
    private static final int FRAME_BYTES_MAX = 16 * 1024 * 1024;
    private static final int STALL_CHECKS_MAX = 20;
    private static final Duration SEND_TIMEOUT = Duration.ofSeconds(10);

    private final ChildProcess child;
    private final InputStream in;
    private final int lineBytesMax;
    private final LineWriter writer;
    private final StrayOutputCounter strayOutput;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);
    private final CountDownLatch ended = new CountDownLatch(1);
    private long lastCheckedWrite;
    private int stallChecks;

    ChildProcessChannel(
            ChildProcess child,
            InputStream in,
            LineWriter writer,
            ChildProcess.OutputLimits limits) {
        this.lineBytesMax = limits.lineBytesMax();
        this.child = child;
        this.writer = writer;
        this.strayOutput =
                new StrayOutputCounter(child.name(), Ticker.system(), child::redactSecrets);
        this.in = new LimitedInput(in);
    }

    @Override
    public void receive(Receiver sink) throws IOException {
        Thread.ofPlatform().daemon().name("read " + child.name()).start(() -> read(sink));
        try {
            ended.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            child.abort("nobody listens to it any more");
        }
    }

    /** The output has ended, or nothing of it matters any more. */
    void markEnded() {
        ended.countDown();
    }

    private void read(Receiver sink) {
        try {
            new LineReader(in, lineBytesMax).run(new LineHandler(sink));
        } catch (IOException _) {
            // The pipe is gone, and so is the child.
        } finally {
            markEnded();
            child.stdoutEnded();
        }
    }

    @Override
    public void send(EncodedJson frame) throws IOException {
        if (!writer.trySend(frame, SEND_TIMEOUT)) {
            child.abort("it does not read what it is sent");
            throw new IOException("It does not read what it is sent");
        }
    }

    @Override
    public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
        return writer.trySend(frame, patience);
    }

    @Override
    public long sentBytes() {
        return writer.sentBytes();
    }

    @Override
    public void acknowledgeRead(long bytes) {
        writer.acknowledgeRead(bytes);
    }

    /**
     * A sender writes only what the child has room for, if the child has read all that it answered.
     * A write that is still the same after many looks shows that it has not. Looks are counted, not
     * seconds: those pass as well while the whole machine stands still.
     */
    @Override
    public boolean unblockWriter() {
        long number = writer.activeSenderWrite();
        stallChecks = number != 0 && number == lastCheckedWrite ? stallChecks + 1 : 0;
        lastCheckedWrite = number;
        if (stallChecks >= STALL_CHECKS_MAX) {
            child.kill("it answered calls that it had not read");
        }
        return number != 0;
    }

    @Override
    public int frameBytesMax() {
        return FRAME_BYTES_MAX;
    }

    @Override
    public void close() {
        child.stop();
    }

    StrayOutputCounter strayOutput() {
        return strayOutput;
    }

    void closeInput() {
        writer.close();
    }

    /** Passes messages on and everything else over. */
    private final class LineHandler implements LineReader.LineSink {
        private final Receiver sink;

        LineHandler(Receiver sink) {
            this.sink = sink;
        }

        @Override
        public void onLine(byte[] bytes, int length) {
            handle(decoder.decode(bytes, 0, length), bytes, length);
        }

        @Override
        public void onSkippedLine(MemberFinder finder, String why) {
            byte[] shown = why.getBytes(StandardCharsets.UTF_8);
            handle(Decoder.rejectedFrame(finder, why), shown, shown.length);
        }

        private void handle(DecodedFrame inbound, byte[] bytes, int length) {
            switch (inbound) {
                // Taken apart here, so that an array nobody meant as a batch is not answered.
                case Batch(var items) -> items.forEach(item -> handle(item, bytes, length));
                case Malformed malformed -> {
                    strayOutput.addLine(bytes, length);
                    if (malformed.id().isKnown() && isJsonRpc(bytes, length)) {
                        deliver(malformed);
                    }
                }
                case BadResponse response when !response.id().isKnown() ->
                        strayOutput.addLine(bytes, length);
                case BadResponse response -> deliver(response);
                case Message message -> {
                    strayOutput.onMessage();
                    deliver(message);
                }
            }
        }

        /** A log may well have an id in it; what is no JSON-RPC is no broken answer. */
        private static boolean isJsonRpc(byte[] bytes, int length) {
            try {
                Json version = Json.parse(Arrays.copyOf(bytes, length)).member("jsonrpc");
                return version != null && version.isText("2.0");
            } catch (JsonException _) {
                return true; // beyond a limit, so that it could not be looked into
            }
        }

        private void deliver(DecodedFrame inbound) {
            if (ended.getCount() > 0) {
                sink.accept(inbound);
            }
        }
    }

    /** The child's output, which ends when there is too much noise in it. */
    private final class LimitedInput extends FilterInputStream {
        LimitedInput(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (strayOutput.isLimitExceeded()) {
                child.kill("it wrote too much that is no message, without a message between");
                // No end of file: that would make the unfinished line one more answer, and its
                // caller could call again before the link is known to be lost.
                throw new IOException("Given up");
            }
            int count = super.read(bytes, offset, length);
            strayOutput.addBytes(Math.max(0, count));
            return count;
        }
    }
}
