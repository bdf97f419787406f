package dev.patchbay.http;

import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Decoder;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The body of a request, read up to a limit. Memory grows with what arrives, never with what a
 * header announces. A body beyond the limit is not kept, only skimmed for its envelope.
 */
final class Body {
    /** Why there is no body. */
    static final class Broken extends Exception {
        private static final long serialVersionUID = 1L;

        private final int status;

        Broken(int status, String why) {
            super(why, null, false, false);
            this.status = status;
        }

        int status() {
            return status;
        }
    }

    private static final int FIRST_BYTES = 8 * 1024;

    /** So much beyond the limit is still read, so that the client sees why it is refused. */
    private static final long SKIM_BYTES_MAX = 32L * 1024 * 1024;

    private final Request request;
    private final int bytesMax;
    private final long deadline;
    private byte[] bytes = new byte[0];
    private int length;
    private long skimmed;
    private @Nullable MemberFinder finder;

    private Body(Request request, int bytesMax, Duration time) {
        this.request = request;
        this.bytesMax = bytesMax;
        this.deadline = System.nanoTime() + time.toNanos();
    }

    static Body read(Request request, int bytesMax, Duration time) throws Broken {
        var body = new Body(request, bytesMax, time);
        long announced = request.getLength();
        if (announced > bytesMax + SKIM_BYTES_MAX) {
            body.finder = Decoder.envelopeFinder();
        } else {
            body.readAll(Math.clamp(announced, 0, FIRST_BYTES));
        }
        return body;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    /** What could be made out of a body beyond the limit; null if it kept to the limit. */
    @Nullable MemberFinder tooLong() {
        return finder;
    }

    private void readAll(int expected) throws Broken {
        bytes = new byte[expected];
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                await();
                continue;
            }
            if (Content.Chunk.isFailure(chunk)) {
                throw broken(chunk.getFailure());
            }
            take(chunk.getByteBuffer());
            boolean last = chunk.isLast();
            chunk.release();
            if (last || skimmed > SKIM_BYTES_MAX) {
                return;
            }
        }
    }

    private void take(ByteBuffer part) {
        int count = part.remaining();
        if (finder == null && length + (long) count > bytesMax) {
            finder = Decoder.envelopeFinder();
            finder.accept(bytes, 0, length);
            bytes = new byte[0];
            length = 0;
        }
        if (finder != null) {
            byte[] passing = new byte[count];
            part.get(passing);
            finder.accept(passing, 0, count);
            skimmed += count;
            return;
        }
        if (length + count > bytes.length) {
            int doubled = (int) Math.min(bytesMax, bytes.length * 2L);
            bytes = Arrays.copyOf(bytes, Math.max(doubled, length + count));
        }
        part.get(bytes, length, count);
        length += count;
    }

    private void await() throws Broken {
        var arrived = new CountDownLatch(1);
        request.demand(Invocable.from(Invocable.InvocationType.NON_BLOCKING, arrived::countDown));
        try {
            if (!arrived.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new Broken(408, "The body takes too long");
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Broken(503, "Shutting down");
        }
    }

    private static Broken broken(Throwable failure) {
        return switch (failure) {
            case HttpException bad -> new Broken(bad.getCode(), "The body is broken");
            case IOException _ -> new Broken(400, "The body ends too early");
            default -> new Broken(408, "The body takes too long");
        };
    }
}
