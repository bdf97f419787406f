package dev.patchbay.daemon;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** A command that runs in the daemon for another process of the user. */
final class RemoteCommand {
    /** Far below what {@link DaemonSocket} takes as a line, also with every character escaped. */
    private static final int TEXT_CHARS_MAX = 256 * 1024;

    private final DaemonRequest.Run request;
    private final DaemonSocket socket;

    RemoteCommand(DaemonRequest.Run request, DaemonSocket socket) {
        this.request = request;
        this.socket = socket;
    }

    /** Runs the command, until it ends or the other process does. */
    void run(GatewayProvider.CommandLease gateway) throws IOException {
        socket.writeLine(new DaemonReply.Running().toJson());
        Thread runner = Thread.currentThread();
        Thread.ofVirtual().name("command input").start(() -> interruptAtEnd(runner));
        int exitCode =
                gateway.run(
                        new GatewayProvider.Command(
                                request,
                                new EventOutput(CommandEvent.Output::new),
                                new EventOutput(CommandEvent.Message::new)));
        send(new CommandEvent.Ended(exitCode));
    }

    /** The user has ended the other process: nobody waits for the command any more. */
    private void interruptAtEnd(Thread runner) {
        try {
            while (socket.input().read() >= 0) {
                // The other process sends nothing.
            }
            runner.interrupt();
        } catch (IOException _) {
            // The command has ended, and the connection with it.
        }
    }

    private synchronized void send(CommandEvent event) throws IOException {
        socket.writeLine(event.toJson());
    }

    /** Sends what is written as events, whenever it is flushed. */
    private final class EventOutput extends OutputStream {
        private final Function<String, CommandEvent> toEvent;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        EventOutput(Function<String, CommandEvent> toEvent) {
            this.toEvent = toEvent;
        }

        @Override
        public synchronized void write(int b) {
            bytes.write(b);
        }

        @Override
        public synchronized void write(byte[] text, int from, int length) {
            bytes.write(text, from, length);
        }

        @Override
        public synchronized void flush() throws IOException {
            String text = bytes.toString(StandardCharsets.UTF_8);
            bytes.reset();
            int from = 0;
            while (from < text.length()) {
                int end = Math.min(text.length(), from + TEXT_CHARS_MAX);
                if (end < text.length() && Character.isHighSurrogate(text.charAt(end - 1))) {
                    end--;
                }
                send(toEvent.apply(text.substring(from, end)));
                from = end;
            }
        }
    }
}
