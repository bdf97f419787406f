package dev.patchbay.app.wiring;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** An output to a client that reports when the client no longer reads. */
final class FailureDetectingOutput extends FilterOutputStream {
    private final Runnable onFailure;

    FailureDetectingOutput(OutputStream out, Runnable onFailure) {
        super(out);
        this.onFailure = onFailure;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        try {
            out.write(bytes, from, length);
        } catch (IOException e) {
            onFailure.run();
            throw e;
        }
    }
}
