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
 * The messages to and from a child. A platform thread reads its output: hundreds of idle reads on
 * virtual threads would use up their carrier threads.
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
            child.abort("its connection was closed");
        }
    }

    /** The output has ended, or is no longer of interest. */
    void markEnded() {
        ended.countDown();
    }

    private void read(Receiver sink) {
        try {
            new LineReader(in, lineBytesMax).run(new LineHandler(sink));
        } catch (IOException _) {
            // The pipe is closed, so the child has ended.
        } finally {
            markEnded();
            child.stdoutEnded();
        }
    }

    @Override
    public void send(EncodedJson frame) throws IOException {
        if (!writer.trySend(frame, SEND_TIMEOUT)) {
            child.abort("it does not read its input");
            throw new IOException("it does not read its input");
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
     * A sender writes only as much as the child has room for, assuming that the child has read
     * every request that it answered. A write that is unchanged after many checks shows that it has
     * not. Checks are counted instead of seconds, because time also passes while the whole machine
     * is suspended.
     */
    @Override
    public boolean unblockWriter() {
        long number = writer.activeSenderWrite();
        stallChecks = number != 0 && number == lastCheckedWrite ? stallChecks + 1 : 0;
        lastCheckedWrite = number;
        if (stallChecks >= STALL_CHECKS_MAX) {
            child.kill("it answered requests that it had not read");
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

    /** Forwards messages and ignores everything else. */
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
                // Split here, so that an array that is not a batch gets no response.
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

        /**
         * Whether a line is JSON-RPC. A log line may contain an id, but is not a malformed
         * response.
         */
        private static boolean isJsonRpc(byte[] bytes, int length) {
            try {
                Json version = Json.parse(Arrays.copyOf(bytes, length)).member("jsonrpc");
                return version != null && version.isText("2.0");
            } catch (JsonException _) {
                return true; // over a limit, so it could not be inspected
            }
        }

        private void deliver(DecodedFrame inbound) {
            if (ended.getCount() > 0) {
                sink.accept(inbound);
            }
        }
    }

    /** The child's output, which ends if there is too much stray output. */
    private final class LimitedInput extends FilterInputStream {
        LimitedInput(InputStream in) {
            super(in);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (strayOutput.isLimitExceeded()) {
                child.kill("it wrote too much text that is not a message");
                // Not an end of file: that would turn the incomplete line into a response, and its
                // caller could call again before the session is known to be lost.
                throw new IOException("Given up");
            }
            int count = super.read(bytes, offset, length);
            strayOutput.addBytes(Math.max(0, count));
            return count;
        }
    }
}
