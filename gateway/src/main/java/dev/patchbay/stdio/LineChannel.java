package dev.patchbay.stdio;

import dev.patchbay.json.EncodedJson;
import dev.patchbay.json.JsonLimits;
import dev.patchbay.json.MemberFinder;
import dev.patchbay.jsonrpc.Channel;
import dev.patchbay.jsonrpc.Decoder;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/** A channel with one message per line in both directions. */
public final class LineChannel implements Channel {
    private final InputStream in;
    private final LineWriter writer;
    private final int lineBytesMax;
    private final int frameBytesMax;
    private final Decoder decoder = new Decoder(JsonLimits.DEFAULTS);

    /**
     * Creates a channel.
     *
     * @param lineBytesMax the maximum length of a line to read
     */
    public LineChannel(InputStream in, LineWriter writer, int lineBytesMax, int frameBytesMax) {
        this.in = in;
        this.writer = writer;
        this.lineBytesMax = lineBytesMax;
        this.frameBytesMax = frameBytesMax;
    }

    @Override
    public void receive(Receiver sink) throws IOException {
        new LineReader(in, lineBytesMax)
                .run(
                        new LineReader.LineSink() {
                            @Override
                            public void onLine(byte[] bytes, int length) {
                                sink.accept(decoder.decode(bytes, 0, length));
                            }

                            @Override
                            public void onSkippedLine(MemberFinder finder, String why) {
                                sink.accept(Decoder.rejectedFrame(finder, why));
                            }
                        });
    }

    @Override
    public void send(EncodedJson frame) throws IOException {
        writer.send(frame);
    }

    @Override
    public boolean trySend(EncodedJson frame, Duration patience) throws IOException {
        return writer.trySend(frame, patience);
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
