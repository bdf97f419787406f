package dev.patchbay.background;

import static org.assertj.core.api.Assertions.assertThat;

import static java.util.Map.entry;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Holds the rule that a loop which runs as long as the gateway is a {@link BackgroundLoop}. A class
 * that starts a thread and has a loop is listed here with the reason why it is none.
 */
class ThreadLoopRuleTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "patchbay");
    private static final Pattern STARTS_THREAD =
            Pattern.compile("Thread\\.of(Virtual|Platform)\\(\\)|startVirtualThread\\(");
    private static final Pattern LOOPS = Pattern.compile("\\b(while|for) \\((true|;;|!)|\\bdo \\{");

    /** Classes with a thread and a loop, and why the loop may end with an error. */
    private static final Map<String, String> EXCEPTIONS =
            Map.ofEntries(
                    entry("app/wiring/ProgressLine.java", "lasts as long as one command"),
                    entry("background/BackgroundLoop.java", "is the loop"),
                    entry("daemon/DaemonServer.java", "the loop runs on the main thread"),
                    entry("gateway/ListingCache.java", "the loop runs on the thread of the caller"),
                    entry("gateway/ModernTaskCall.java", "lasts as long as one call"),
                    entry("http/client/MessagePost.java", "lasts as long as one message"),
                    entry("http/client/ServerEventStream.java", "its end closes the channel"),
                    entry(
                            "http/client/wire/ConnectionPool.java",
                            "loops on the thread of the caller"),
                    entry("jsonrpc/InboundRequests.java", "lasts as long as one request"),
                    entry("jsonrpc/OutboundCalls.java", "loops on the thread of the caller"),
                    entry("oauth/RedirectListener.java", "lasts as long as one sign-in"),
                    entry("server/ChangeSubscriptions.java", "lasts as long as one connection"),
                    entry("server/ConnectAttempts.java", "lasts as long as one attempt"),
                    entry("server/PackageRunnerStart.java", "lasts as long as one attempt"),
                    entry("server/StartLimiter.java", "waits for one process"),
                    entry("server/Supervisor.java", "loops on the thread of the caller"),
                    entry("stdio/ChildProcess.java", "lasts as long as one process"),
                    entry("stdio/LineWriter.java", "lasts as long as one connection"),
                    entry(
                            "stdio/ProcessReaper.java",
                            "its thread awaits one process; its loop is a BackgroundLoop"));

    @Test
    void longLivedLoopsAreBackgroundLoops() throws IOException {
        var found = new TreeSet<String>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !SOURCES.relativize(file).startsWith("repl"))
                    .filter(ThreadLoopRuleTest::startsThreadAndLoops)
                    .forEach(file -> found.add(SOURCES.relativize(file).toString()));
        }
        assertThat(found)
                .as("use BackgroundLoop, or list the class here with a reason")
                .isSubsetOf(EXCEPTIONS.keySet())
                .contains("background/BackgroundLoop.java");
    }

    private static boolean startsThreadAndLoops(Path file) {
        try {
            String text = Files.readString(file);
            return STARTS_THREAD.matcher(text).find() && LOOPS.matcher(text).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
