package dev.patchbay.app.wiring;

import static java.lang.System.Logger.Level.ERROR;

import dev.patchbay.config.Environment;
import dev.patchbay.config.PatchbaySettings;
import dev.patchbay.daemon.BuildInfo;
import dev.patchbay.daemon.DaemonConnector;
import dev.patchbay.daemon.DaemonFiles;
import dev.patchbay.daemon.DaemonLauncher;
import dev.patchbay.daemon.DaemonRequest;
import dev.patchbay.daemon.DaemonServer;
import dev.patchbay.daemon.RotatingLog;
import dev.patchbay.text.LoggedFailure;
import dev.patchbay.time.Ticker;

import org.jspecify.annotations.Nullable;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Runs the user's background gateway, and tells other commands where it is. */
public final class DaemonRunner {
    private static final long LOG_BYTES_MAX = 5 << 20;
    private static final Duration STOP_MAX = Duration.ofSeconds(20);

    /** Runs a command line in a context and returns its exit code. */
    public interface CommandLineRunner {
        int run(String[] arguments, AppContext context);
    }

    private DaemonRunner() {}

    /** The files of the user's daemon. */
    public static DaemonFiles files(AppContext context) {
        return DaemonFiles.locate(
                context.environment().variables(), StateDirectory.locate(context.environment()));
    }

    /** Connects to the user's daemon. */
    public static DaemonConnector connector(AppContext context) {
        var launcher =
                new DaemonLauncher(
                        ProductInfo.launchCommand("daemon", "run"),
                        context.environment().variables());
        return new DaemonConnector(files(context), launcher);
    }

    /**
     * How this process was started.
     *
     * @param chosen the configuration that the user named; null to search for one
     */
    static DaemonRequest.ClientStart clientStart(AppContext context, @Nullable Path chosen) {
        Environment environment = context.environment();
        Path directory = environment.workingDirectory();
        return new DaemonRequest.ClientStart(
                ProcessHandle.current().pid(),
                chosen == null ? null : directory.resolve(chosen),
                directory,
                environment.home(),
                environment.variables());
    }

    /** The build of this program. */
    public static BuildInfo build() {
        String launcher = System.getProperty("patchbay.launcher", "");
        return new BuildInfo(ProductInfo.version(), buildId(), launcher);
    }

    /** Differs between two builds: the size and the time of the program's file. */
    private static String buildId() {
        String classPath = System.getProperty("java.class.path", "");
        int end = classPath.indexOf(File.pathSeparatorChar);
        Path jar = Path.of(end < 0 ? classPath : classPath.substring(0, end));
        try {
            return Files.size(jar) + "-" + Files.getLastModifiedTime(jar).to(TimeUnit.SECONDS);
        } catch (IOException _) {
            return "unknown";
        }
    }

    /**
     * Serves clients until the daemon is stopped or idle. Standard output gets one line.
     *
     * @param commandLine runs commands of other processes
     */
    public static int run(AppContext context, CommandLineRunner commandLine)
            throws InterruptedException {
        DaemonFiles files = files(context);
        OutputStream answer = context.streams().out();
        System.setErr(
                new PrintStream(
                        new RotatingLog(files.log(), LOG_BYTES_MAX), true, StandardCharsets.UTF_8));
        LogConfiguration.install();
        var gateways = new DaemonGateways(Ticker.system(), commandLine);
        Duration idleExit = PatchbaySettings.DEFAULTS.daemon().idleExit();
        var isOver = new CountDownLatch(1);
        try (DaemonServer server = DaemonServer.open(files, build(), gateways, idleExit)) {
            if (server == null) {
                say(answer, "another daemon is running");
                return ExitCode.FAILED;
            }
            var terminated = Thread.ofPlatform().unstarted(() -> stop(server, isOver));
            Runtime.getRuntime().addShutdownHook(terminated);
            say(answer, DaemonLauncher.READY);
            server.run();
        } catch (IOException e) {
            log().log(ERROR, "The daemon could not start", new LoggedFailure(e));
            say(answer, IoErrorText.describe(e));
            return ExitCode.FAILED;
        }
        isOver.countDown();
        return ExitCode.OK;
    }

    /** The process is being terminated: requests in progress are still answered. */
    private static void stop(DaemonServer server, CountDownLatch isOver) {
        server.stop();
        try {
            boolean _ = isOver.await(STOP_MAX.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells the process that started the daemon, and closes the pipe to it. */
    private static void say(OutputStream answer, String line) {
        try (answer) {
            answer.write(
                    (line.lines().findFirst().orElse("") + "\n").getBytes(StandardCharsets.UTF_8));
        } catch (IOException _) {
            // That process is gone. Others will need the daemon.
        }
    }

    private static System.Logger log() {
        return System.getLogger(DaemonRunner.class.getName());
    }
}
