package dev.patchbay.daemon;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Decoder;
import dev.patchbay.stdio.LineReader;
import dev.patchbay.stdio.LineWriter;

import java.io.IOException;
import java.time.Duration;

/**
 * The channel between a gateway and a client that is attached by a relay. A client that does not
 * read never delays the thread that sends to it: others wait for that thread too.
 */
final class AttachedChannel implements Channel {
    /** What the socket takes for certain, in addition to what the relay has read. */
    static final int UNREAD_BYTES_MAX = 16 * 1024;

    /** A client that leaves more unread is disconnected. */
    private static final int QUEUE_BYTES_MAX =
            (int) Math.min(64L << 20, Runtime.getRuntime().maxMemory() / 8);

    private final DaemonSocket socket;
    private final LineWriter writer;
    private final int lineBytesMax;
    private final int frameBytesMax;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);

    AttachedChannel(DaemonSocket socket, String name, int lineBytesMax, int frameBytesMax) {
        this.socket = socket;
        this.writer =
                LineWriter.withWriterThread(
                        socket.output(), QUEUE_BYTES_MAX, "write " + name, UNREAD_BYTES_MAX);
        this.lineBytesMax = lineBytesMax;
        this.frameBytesMax = frameBytesMax;
    }

    @Override
    public void receive(Receiver receiver) throws IOException {
        new LineReader(socket.input(), lineBytesMax)
                .run(
                        new LineReader.LineSink() {
                            @Override
                            public void onLine(byte[] bytes, int length) {
                                if (ControlLine.isControl(bytes, length)) {
                                    onControl(bytes, length);
                                } else {
                                    receiver.accept(decoder.decode(bytes, 0, length));
                                }
                            }

                            @Override
                            public void onSkippedLine(MemberFinder finder, String why) {
                                receiver.accept(Decoder.rejectedFrame(finder, why));
                            }
                        });
    }

    private void onControl(byte[] bytes, int length) {
        if (ControlLine.parse(bytes, length) instanceof ControlLine.Read(long readBytes)) {
            writer.acknowledgeRead(readBytes);
        }
    }

    void send(ControlLine line) {
        try {
            boolean _ = writer.trySend(line.encode(), Duration.ZERO);
        } catch (IOException _) {
            // The relay is gone.
        }
    }

    @Override
    public void send(EncodedJson frame) throws IOException {
        if (!writer.trySend(frame, Duration.ZERO)) {
            socket.close();
            throw new IOException("The client does not read");
        }
    }

    @Override
    public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
        return writer.trySend(frame, Duration.ZERO);
    }

    @Override
    public int frameBytesMax() {
        return frameBytesMax;
    }

    @Override
    public void close() {
        writer.close();
    }
}
