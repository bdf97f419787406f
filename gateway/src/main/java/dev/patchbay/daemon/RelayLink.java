package dev.patchbay.daemon;

import dev.patchbay.daemon.DaemonSocket.PartialWriteException;
import dev.patchbay.daemon.RelayedRequest.Line;
import dev.patchbay.json.EncodedJson;

import java.io.IOException;
import java.io.InputStream;

/** One connection of a relay to a gateway. Its lines are sent by one thread at a time. */
final class RelayLink {
    private final int number;
    private final DaemonSocket socket;
    private boolean isOutputEnded;

    RelayLink(int number, DaemonSocket socket) {
        this.number = number;
        this.socket = socket;
    }

    int number() {
        return number;
    }

    InputStream input() {
        return socket.input();
    }

    /**
     * Sends a line.
     *
     * @return false if the gateway has certainly not got all of it. The link has then ended.
     */
    boolean send(Line line) {
        byte[] text = new byte[line.length() + 1];
        System.arraycopy(line.bytes(), 0, text, 0, line.length());
        return write(text);
    }

    boolean send(EncodedJson message) {
        byte[] text = new byte[message.length() + 1];
        message.copyTo(text, 0);
        return write(text);
    }

    private boolean write(byte[] text) {
        text[text.length - 1] = '\n';
        try {
            socket.output().write(text, 0, text.length);
            return true;
        } catch (PartialWriteException e) {
            close();
            // The line feed alone may be missing: the end of the input completes the line too.
            return e.writtenBytes() >= text.length - 1;
        } catch (IOException _) {
            close();
            return true;
        }
    }

    /** Lets the gateway answer what it has read, and then end the link. */
    void endOutput() {
        if (!isOutputEnded) {
            isOutputEnded = true;
            socket.endOutput();
        }
    }

    void close() {
        socket.close();
    }
}
