package dev.patchbay.config.read;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.patchbay.background.BackgroundLoop;
import dev.patchbay.config.AtomicFile;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Configuration;
import dev.patchbay.config.ConfigurationDiff;
import dev.patchbay.config.Finding;
import dev.patchbay.text.LoggedFailure;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Watches the configuration file for changes. While the file is invalid, incomplete or missing, the
 * last valid configuration stays active, and the errors are reported once.
 *
 * <p>Notifications of the operating system make the watcher fast. Polling makes it reliable: for
 * links in parent folders, network folders, and systems without notifications.
 */
public final class ConfigWatcher implements AutoCloseable {

    private static final int QUIET_PERIODS_MAX = 50;

    /** Receives changes on the watcher's thread, one at a time. */
    public interface Listener {
        /** The file is valid and has changed, or is valid again. */
        void onChange(Configuration now, ConfigurationDiff diff, List<Finding> findings);

        /** The file is invalid; the active configuration stays. */
        void onInvalidFile(List<Finding> findings);
    }

    /** The polling interval, and how long a file must be unchanged before it is read. */
    public record Timing(Duration pollInterval, Duration quietPeriod) {
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(1), Duration.ofMillis(100));
    }

    /** The attributes of a file; null values if it does not exist. */
    private record FileStamp(
            @Nullable Path realPath, @Nullable Object fileKey, long modifiedNanos, long size) {
        static final FileStamp NONE = new FileStamp(null, null, 0, 0);
    }

    /** What was read last, and was applied if it is valid. */
    private static final class LastRead {
        private final byte @Nullable [] content;
        private final FileStamp approvals;

        LastRead(byte @Nullable [] content, FileStamp approvals) {
            this.content = content;
            this.approvals = approvals;
        }

        boolean isSameAs(@Nullable LastRead other) {
            return other != null
                    && approvals.equals(other.approvals)
                    && Arrays.equals(content, other.content);
        }
    }

    private final Path file;
    private final ConfigReader reader;
    private final @Nullable Path approvalsFile;
    private final Listener listener;
    private final Timing timing;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<Path, WatchKey> watchKeys = new HashMap<>();
    private final BackgroundLoop loop;
    private volatile Configuration active;
    private final ReentrantLock reading = new ReentrantLock();
    private final Condition hasRead = reading.newCondition();
    private volatile @Nullable LastRead lastRead;

    // Accessed only by the watcher's thread.
    private @Nullable WatchService watchService;
    private boolean isWatchServiceOpened;
    private FileStamp lastStamp = FileStamp.NONE;
    private FileStamp lastApprovalsStamp = FileStamp.NONE;
    private boolean isInvalid;
    private Set<Path> watchedNames = Set.of();

    /**
     * Starts watching.
     *
     * @param active the active configuration; changes made before the watcher started are reported
     *     too
     */
    public ConfigWatcher(
            Path file,
            ConfigReader reader,
            Configuration active,
            Timing timing,
            Listener listener) {
        this.file = file.toAbsolutePath();
        this.reader = reader;
        this.approvalsFile = reader.approvalsFile();
        this.active = active;
        this.timing = timing;
        this.listener = listener;
        loop = BackgroundLoop.start("config-watcher", this::watch);
    }

    /** Waits until the file as it is now is active; false if that takes too long. */
    public boolean awaitCurrent(Duration timeout) throws InterruptedException {
        var present = new LastRead(readContent(), readApprovalsStamp());
        long left = timeout.toNanos();
        reading.lock();
        try {
            while (!present.isSameAs(lastRead) && left > 0) {
                left = hasRead.awaitNanos(left);
            }
            return left > 0;
        } finally {
            reading.unlock();
        }
    }

    /** The last valid configuration. */
    public Configuration active() {
        return active;
    }

    @Override
    public void close() {
        closed.countDown();
        loop.close();
        try {
            boolean _ = loop.awaitEnd(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean watch() throws InterruptedException {
        if (!isWatchServiceOpened) {
            watchService = openWatchService();
            isWatchServiceOpened = true;
        }
        try {
            checkFile();
            awaitChange(timing.pollInterval());
        } finally {
            if (closed.getCount() == 0) {
                closeWatchService();
            }
        }
        return closed.getCount() > 0;
    }

    private void closeWatchService() {
        try {
            if (watchService != null) {
                watchService.close();
            }
        } catch (IOException e) {
            log().log(DEBUG, "Could not stop watching {0}", file);
        }
    }

    private @Nullable WatchService openWatchService() {
        try {
            return file.getFileSystem().newWatchService();
        } catch (IOException | UnsupportedOperationException e) {
            log().log(
                            DEBUG,
                            "The system does not report changes; {0} is checked at intervals",
                            file);
            return null;
        }
    }

    /** Reads the file if it has changed and is no longer being written. */
    private void checkFile() throws InterruptedException {
        watchFolders();
        FileStamp sight = readStamp(file);
        FileStamp approvals = readApprovalsStamp();
        if (sight.equals(lastStamp) && approvals.equals(lastApprovalsStamp)) {
            return;
        }
        lastApprovalsStamp = approvals;
        lastStamp = awaitQuiet(sight);
        reload();
    }

    private FileStamp readApprovalsStamp() {
        return approvalsFile == null ? FileStamp.NONE : readStamp(approvalsFile);
    }

    private FileStamp awaitQuiet(FileStamp first) throws InterruptedException {
        FileStamp sight = first;
        long start = System.nanoTime();
        long restless = start;
        // A file that changes constantly is read anyway: it is validated as a whole.
        long patience = timing.quietPeriod().toNanos() * QUIET_PERIODS_MAX;
        while (true) {
            long now = System.nanoTime();
            long left = timing.quietPeriod().toNanos() - (now - restless);
            if (left <= 0 || now - start > patience) {
                return sight;
            }
            awaitChange(Duration.ofNanos(left));
            FileStamp next = readStamp(file);
            if (!next.equals(sight)) {
                sight = next;
                restless = System.nanoTime();
            }
        }
    }

    private void reload() {
        byte[] content = readContent();
        // A change of the approvals changes the meaning of the same text.
        var now = new LastRead(content, lastApprovalsStamp);
        if (now.isSameAs(lastRead) || closed.getCount() == 0) {
            return;
        }
        try {
            notifyListener(content == null ? reader.read(file) : reader.read(content, file));
        } catch (RuntimeException e) {
            log().log(ERROR, "The new configuration could not be applied", new LoggedFailure(e));
        }
        reading.lock();
        try {
            lastRead = now;
            hasRead.signalAll();
        } finally {
            reading.unlock();
        }
    }

    /** The bytes of the file; null if there is none or it cannot be read. */
    private byte @Nullable [] readContent() {
        try {
            return AtomicFile.readIfExists(file, ConfigReader.FILE_BYTES_MAX);
        } catch (IOException _) {
            return null;
        }
    }

    private void notifyListener(ConfigReadResult read) {
        switch (read) {
            case ConfigReadResult.Invalid faulty -> {
                isInvalid = true;
                listener.onInvalidFile(faulty.findings());
            }
            case ConfigReadResult.Valid(Configuration now, List<Finding> findings) -> {
                var diff = ConfigurationDiff.between(active, now);
                if (isInvalid || !diff.isEmpty()) {
                    isInvalid = false;
                    active = now;
                    listener.onChange(now, diff, findings);
                }
            }
        }
    }

    /** Waits for a notification or for the time to pass. */
    private void awaitChange(Duration time) throws InterruptedException {
        if (watchService == null) {
            closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
            return;
        }
        WatchKey key = watchService.poll(time.toNanos(), TimeUnit.NANOSECONDS);
        if (key != null) {
            // Equal size and time do not prove equal content.
            if (key.pollEvents().stream().anyMatch(this::concernsFile)) {
                lastStamp = FileStamp.NONE;
            }
            if (!key.reset()) {
                watchKeys.values().remove(key);
            }
        }
    }

    private boolean concernsFile(WatchEvent<?> event) {
        return !(event.context() instanceof Path name) || watchedNames.contains(name);
    }

    private static FileStamp readStamp(Path file) {
        try {
            Path real = file.toRealPath();
            var attributes = Files.readAttributes(real, BasicFileAttributes.class);
            return new FileStamp(
                    real,
                    attributes.fileKey(),
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.size());
        } catch (IOException e) {
            return new FileStamp(file, null, -1, -1);
        }
    }

    /** Watches the folder of the file, and the folders of the links that lead to it. */
    private void watchFolders() {
        if (watchService == null) {
            return;
        }
        Set<Path> files = new LinkedHashSet<>(Set.of(file));
        try {
            files.add(AtomicFile.resolveLinks(file));
            files.add(file.toRealPath());
        } catch (IOException e) {
            log().log(DEBUG, "{0} does not resolve to a file", file);
        }
        watchedNames = files.stream().map(Path::getFileName).collect(Collectors.toSet());
        Set<Path> folders = files.stream().map(Path::getParent).collect(Collectors.toSet());
        for (Path folder : folders) {
            if (!watchKeys.containsKey(folder)) {
                watchFolder(folder, watchService);
            }
        }
        watchKeys.entrySet().removeIf(entry -> cancelUnlessWanted(entry, folders));
    }

    private void watchFolder(Path folder, WatchService service) {
        try {
            watchKeys.put(
                    folder, folder.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE));
        } catch (IOException e) {
            log().log(DEBUG, "The system does not report changes in {0}", folder);
        }
    }

    private static boolean cancelUnlessWanted(Map.Entry<Path, WatchKey> entry, Set<Path> wanted) {
        boolean drop = !wanted.contains(entry.getKey());
        if (drop) {
            entry.getValue().cancel();
        }
        return drop;
    }

    /** Looked up on demand: the first logger takes several milliseconds to create. */
    private static System.Logger log() {
        return System.getLogger(ConfigWatcher.class.getName());
    }
}
