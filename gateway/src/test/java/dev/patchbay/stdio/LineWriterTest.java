package dev.patchbay.stdio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.Json;
import dev.patchbay.jsonrpc.Encoder;
import dev.patchbay.jsonrpc.Message.Notification;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Whose thread a line is written by: never one that a full pipe could hold up. */
class LineWriterTest {
    private static final int KILOBYTE = 1024;

    private final BlockingPipe pipe = new BlockingPipe();
    private final LineWriter writer = LineWriter.withWriterThread(pipe, 64 * KILOBYTE, "pen");

    @AfterEach
    void releasePipe() {
        pipe.room.release(1000);
        writer.close();
    }

    @Test
    void senderWritesWhatFitsIntoThePipe() throws Exception {
        pipe.room.release(2);
        send(KILOBYTE);
        assertThat(pipe.next()).isEqualTo(Thread.currentThread().getName());
        send(KILOBYTE);
        assertThat(pipe.next()).isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void senderNeverBlocksOnAFullPipe() throws Exception {
        send(5 * KILOBYTE); // there is no room, and yet it returns
        pipe.entered.acquire();
        send(KILOBYTE);
        pipe.room.release(2);
        assertThat(pipe.next()).isEqualTo("pen");
        assertThat(pipe.next()).isEqualTo("pen");
    }

    @Test
    void acknowledgedReadsMakeRoom() throws Exception {
        pipe.room.release(1000);
        send(5 * KILOBYTE);
        assertThat(pipe.next()).isEqualTo("pen");
        send(KILOBYTE);
        assertThat(pipe.next()).as("it may not have read the long line").isEqualTo("pen");
        String wrote = "pen";
        for (int i = 0; i < 900 && wrote.equals("pen"); i++) { // it may still hold the pen
            writer.acknowledgeRead(writer.sentBytes());
            writer.acknowledgeRead(KILOBYTE); // an older call, answered late
            send(KILOBYTE);
            wrote = pipe.next();
        }
        assertThat(wrote).isEqualTo(Thread.currentThread().getName());
    }

    @Test
    void linesQueuedDuringASenderWriteDoNotBlockTheSender() throws Exception {
        var sender = Thread.ofPlatform().name("sender").start(() -> send(KILOBYTE));
        pipe.entered.acquire();
        send(5 * KILOBYTE);
        pipe.room.release();
        assertThat(pipe.next()).isEqualTo("sender");
        sender.join(); // although the pipe takes nothing more
        pipe.room.release();
        assertThat(pipe.next()).isEqualTo("pen");
    }

    @Test
    void streamIsClosedAfterTheSendersLastLine() throws Exception {
        var sender = Thread.ofPlatform().name("sender").start(() -> send(KILOBYTE));
        pipe.entered.acquire();
        writer.close();
        assertThat(pipe.closed.availablePermits()).isZero();
        pipe.room.release();
        sender.join();
        assertThat(pipe.closed.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void brokenPipeRejectsFurtherLines() {
        pipe.broken = true;
        pipe.room.release(1);
        send(KILOBYTE);
        assertThatThrownBy(() -> writer.trySend(line(KILOBYTE), Duration.ZERO))
                .isInstanceOf(IOException.class);
    }

    private void send(int bytes) {
        try {
            assertThat(writer.trySend(line(bytes), Duration.ZERO)).isTrue();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static EncodedJson line(int bytes) {
        return Encoder.encode(new Notification("m", Json.string("x".repeat(bytes - 100))));
    }

    /** Takes a write for every permit, and notes who wrote. */
    private static final class BlockingPipe extends OutputStream {
        private final Semaphore room = new Semaphore(0);
        private final Semaphore entered = new Semaphore(0);
        private final Semaphore closed = new Semaphore(0);
        private final LinkedBlockingQueue<String> writers = new LinkedBlockingQueue<>();
        private volatile boolean broken;

        @Override
        public void write(int b) {
            throw new AssertionError("lines are written whole");
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            entered.release();
            room.acquireUninterruptibly();
            if (broken) {
                throw new IOException("as asked");
            }
            writers.add(Thread.currentThread().getName());
        }

        @Override
        public void close() {
            closed.release();
        }

        String next() throws InterruptedException {
            return writers.poll(10, TimeUnit.SECONDS);
        }
    }
}
