package dev.patchbay.http.server;

import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Decoder;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads the body of a request up to a limit. Memory grows with the received data, not with the
 * announced length. A body over the limit is not kept; only its envelope is extracted.
 */
final class RequestBodyReader {
    /** Why the body could not be read. */
    static final class BodyException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        BodyException(int status, String why) {
            super(why, null, false, false);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    private static final int FIRST_BYTES = 8 * 1024;

    private static final int SMALL_BYTES_MAX = 64 * 1024;

    /** This much beyond the limit is still read, so that the client sees the error. */
    private static final long SKIM_BYTES_MAX = 32L * 1024 * 1024;

    private final Request request;
    private final int bytesMax;
    private final long deadline;
    private final RequestBodyBudget.Reservation reservation;
    private byte[] bytes = new byte[0];
    private int length;
    private long skimmedBytes;
    private boolean isComplete;
    private @Nullable MemberFinder envelopeFinder;

    RequestBodyReader(
            Request request, HttpLimits limits, RequestBodyBudget.Reservation reservation) {
        this.request = request;
        this.bytesMax = limits.sizes().bodyBytesMax();
        this.deadline = System.nanoTime() + limits.times().body().toNanos();
        this.reservation = reservation;
        if (request.getLength() > bytesMax + SKIM_BYTES_MAX) {
            envelopeFinder = Decoder.envelopeFinder();
            isComplete = true; // nothing is read
        }
    }

    /** Whether the announced body is so small that it can be handled at once. */
    boolean isSmall() {
        long announced = request.getLength();
        return announced >= 0 && announced <= Math.min(SMALL_BYTES_MAX, bytesMax);
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** The envelope of a body over the limit; null if it is within the limit. */
    @Nullable MemberFinder oversizedEnvelope() {
        return envelopeFinder;
    }

    /** Reads the whole body; blocks. */
    void readAll() throws BodyException {
        while (!readAvailable()) {
            awaitMore();
        }
    }

    /** Reads what is available; returns whether the body is complete. */
    boolean readAvailable() throws BodyException {
        if (!isComplete && bytes.length == 0) {
            bytes = new byte[Math.clamp(request.getLength(), 0, FIRST_BYTES)];
        }
        while (!isComplete) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                return false;
            }
            if (Content.Chunk.isFailure(chunk)) {
                throw toException(chunk.getFailure());
            }
            try {
                append(chunk.getByteBuffer());
            } finally {
                chunk.release();
            }
            isComplete = chunk.isLast() || skimmedBytes > SKIM_BYTES_MAX;
        }
        return true;
    }

    private void append(ByteBuffer part) throws BodyException {
        int count = part.remaining();
        if (envelopeFinder == null && length + (long) count > bytesMax) {
            envelopeFinder = Decoder.envelopeFinder();
            envelopeFinder.accept(bytes, 0, length);
            bytes = new byte[0];
            length = 0;
        }
        if (envelopeFinder != null) {
            byte[] passing = new byte[count];
            part.get(passing);
            envelopeFinder.accept(passing, 0, count);
            skimmedBytes += count;
            return;
        }
        if (length + count > bytes.length) {
            int doubled = (int) Math.min(bytesMax, bytes.length * 2L);
            grow(Math.max(doubled, length + count));
        }
        part.get(bytes, length, count);
        length += count;
    }

    /** Grows the buffer. The first bytes need no reservation. */
    private void grow(int capacity) throws BodyException {
        int more = capacity - Math.max(bytes.length, FIRST_BYTES);
        if (more > 0 && !reservation.tryGrow(more)) {
            throw new BodyException(503, "Overloaded: too many large requests at the same time");
        }
        bytes = Arrays.copyOf(bytes, capacity);
    }

    private void awaitMore() throws BodyException {
        var arrived = new CountDownLatch(1);
        request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, arrived::countDown));
        try {
            if (!arrived.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new BodyException(408, "The body takes too long");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new BodyException(503, "Shutting down");
        }
    }

    private static BodyException toException(Throwable failure) {
        return switch (failure) {
            case HttpException bad -> new BodyException(bad.getCode(), "The body is broken");
            case IOException _ -> new BodyException(400, "The body ends too early");
            default -> new BodyException(408, "The body takes too long");
        };
    }
}
