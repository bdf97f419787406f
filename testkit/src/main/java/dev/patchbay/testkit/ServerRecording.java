package dev.patchbay.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What a {@link ScriptedServer} recorded: its starts and every line it received and sent. Each
 * method reads the files anew, so it tells the present.
 */
public final class ServerRecording {
    private static final long POLL_NANOS = 5_000_000;

    private final Path counter;
    private final Path traffic;

    public ServerRecording(Path counter, Path traffic) {
        this.counter = counter;
        this.traffic = traffic;
    }

    /** A line that crossed the pipe, seen from the server. */
    public static final class Line {
        private final long nanoTime;
        private final long pid;
        private final boolean received;
        private final byte[] bytes;

        private Line(String head, byte[] bytes) {
            String[] parts = head.split(" ", -1);
            this.nanoTime = Long.parseLong(parts[0]);
            this.pid = Long.parseLong(parts[1]);
            this.received = parts[2].equals("in");
            this.bytes = bytes;
        }

        /** When, on the clock of {@link System#nanoTime}, which all processes of a host share. */
        public long nanoTime() {
            return nanoTime;
        }

        public long pid() {
            return pid;
        }

        public boolean received() {
            return received;
        }

        public byte[] bytes() {
            return bytes;
        }

        /** The message, or nothing if the line is not strict JSON. */
        public Optional<JsonTree> message() {
            return StrictJson.tryParse(bytes);
        }

        private boolean isMethod(String method) {
            return received
                    && mentions(method)
                    && message()
                            .flatMap(tree -> tree.member("method"))
                            .equals(Optional.of(new JsonTree.Str(method)));
        }

        /** Whether a text of ASCII is in the line, which is soon known of a long one too. */
        private boolean mentions(String text) {
            return new String(bytes, StandardCharsets.ISO_8859_1).contains(text);
        }

        @Override
        public String toString() {
            return (received ? "in " : "out ") + Utf8Text.abbreviate(bytes);
        }
    }

    /** How often the server was started. */
    public int startCount() {
        return counterLines("start ").size();
    }

    /** The process ids of all starts, in order. */
    public List<Long> pids() {
        return counterLines("start ").stream().map(rest -> number(rest, 0)).toList();
    }

    /** The times of all starts on the clock of {@link System#nanoTime}. */
    public List<Long> startTimes() {
        return counterLines("start ").stream().map(rest -> number(rest, 1)).toList();
    }

    /** The process ids of the grandchildren the server made. */
    public List<Long> grandchildPids() {
        return counterLines("grandchild ").stream().map(rest -> number(rest, 0)).toList();
    }

    /** The process ids of all starts and grandchildren that run still. */
    public List<Long> livingPids() {
        return Stream.of("start ", "grandchild ")
                .flatMap(word -> counterLines(word).stream())
                .filter(rest -> ProcessInspector.isAlive(number(rest, 0), number(rest, 1)))
                .map(rest -> number(rest, 0))
                .toList();
    }

    /** Every line received and sent by all processes of this server, in order. */
    public List<Line> lines() {
        byte[] all = read(traffic);
        var lines = new ArrayList<Line>();
        int start = 0;
        for (int end = 0; end < all.length; end++) {
            if (all[end] == '\n') {
                lines.add(parseLine(Arrays.copyOfRange(all, start, end)));
                start = end + 1;
            }
        }
        return lines;
    }

    /** The requests and notifications of this method that the server received. */
    public List<JsonTree> received(String method) {
        return lines().stream()
                .filter(line -> line.isMethod(method))
                .flatMap(line -> line.message().stream())
                .toList();
    }

    /** How often the server was asked for this method. */
    public int receivedCount(String method) {
        return received(method).size();
    }

    /** The arguments of every call of this tool, as they were spelled; absent ones are empty. */
    public List<String> callArguments(String tool) {
        var wanted = Optional.of(new JsonTree.Str(tool));
        return lines().stream()
                .filter(line -> line.mentions(tool) && line.isMethod("tools/call"))
                .filter(
                        line ->
                                line.message()
                                        .flatMap(m -> m.findAt("params", "name"))
                                        .equals(wanted))
                .map(line -> StrictJson.rawValue(line.bytes(), "params", "arguments").orElse(""))
                .toList();
    }

    /** The request ids of every cancellation received, as they were spelled. */
    public List<String> cancelledIds() {
        return lines().stream()
                .filter(line -> line.isMethod("notifications/cancelled"))
                .map(line -> StrictJson.rawValue(line.bytes(), "params", "requestId").orElse(""))
                .toList();
    }

    /** What was wrong with the lines the server received; empty is the aim. */
    public List<String> violations() {
        var rules = new OutputRules(false);
        lines().stream().filter(Line::received).forEach(line -> rules.check(line.bytes()));
        return rules.violations();
    }

    /** Waits until the record is as wanted; says whether it came to be. */
    public boolean await(Predicate<ServerRecording> wanted, Duration patience) {
        long end = System.nanoTime() + patience.toNanos();
        while (!wanted.test(this)) {
            if (System.nanoTime() > end) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    private List<String> counterLines(String word) {
        String all = new String(read(counter), StandardCharsets.UTF_8);
        return all.lines()
                .filter(line -> line.startsWith(word))
                .map(line -> line.substring(word.length()))
                .toList();
    }

    private static long number(String rest, int index) {
        return Long.parseLong(rest.split(" ", -1)[index]);
    }

    private static Line parseLine(byte[] whole) {
        int spaces = 0;
        int at = 0;
        while (spaces < 3) {
            spaces += whole[at++] == ' ' ? 1 : 0;
        }
        String head = new String(whole, 0, at - 1, StandardCharsets.US_ASCII);
        return new Line(head, Arrays.copyOfRange(whole, at, whole.length));
    }

    private static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return new byte[0];
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
