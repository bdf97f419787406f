package dev.patchbay.config;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_DELETE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

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
import java.util.stream.Collectors;

/**
 * Notices when the configuration file says something else. A file with faults, half written or gone
 * leaves the last good configuration in force, and its faults are told once.
 *
 * <p>The system's own notices make it quick, looking at the file now and then makes it sure: links
 * swapped further up, folders on a network, and systems without notices are seen that way.
 */
public final class ConfigWatcher implements AutoCloseable {

    private static final int RESTS_MAX = 50;

    /** Who wants to know; called on the watcher's own thread, one call at a time. */
    public interface Listener {
        /** The file is good and says something else than before, or is good again. */
        void changed(Configuration now, ConfigurationDiff diff, List<Finding> findings);

        /** The file is not good; what was in force stays. */
        void broken(List<Finding> findings);
    }

    /** How often to look without being told, and how long a file must rest before it is read. */
    public record Timing(Duration interval, Duration rest) {
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(1), Duration.ofMillis(100));
    }

    /** What can be seen of a file without reading it; null times and keys if it is not there. */
    private record Sight(@Nullable Path real, @Nullable Object key, long modified, long size) {
        static final Sight NONE = new Sight(null, null, 0, 0);
    }

    private final Path file;
    private final ConfigReader reader;
    private final Listener listener;
    private final Timing timing;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<Path, WatchKey> watched = new HashMap<>();
    private final Thread thread;
    private volatile Configuration active;

    // Owned by the thread.
    private @Nullable WatchService notices;
    private byte @Nullable [] content;
    private Sight seen = Sight.NONE;
    private boolean hasRead;
    private boolean broken;
    private Set<Path> names = Set.of();

    /**
     * Begins to watch.
     *
     * @param active what is in force now; differences are told against it, those that arose before
     *     the watcher began included
     */
    public ConfigWatcher(
            Path file,
            ConfigReader reader,
            Configuration active,
            Timing timing,
            Listener listener) {
        this.file = file.toAbsolutePath();
        this.reader = reader;
        this.active = active;
        this.timing = timing;
        this.listener = listener;
        thread = Thread.ofVirtual().name("config-watcher").unstarted(this::run);
        thread.start();
    }

    /** The last good configuration. */
    public Configuration active() {
        return active;
    }

    @Override
    public void close() {
        closed.countDown();
        thread.interrupt();
        try {
            thread.join(Duration.ofSeconds(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (WatchService service = openNotices()) {
            notices = service;
            while (closed.getCount() > 0) {
                look();
                await(timing.interval());
            }
        } catch (InterruptedException e) {
            // Closed.
        } catch (IOException e) {
            log().log(DEBUG, "Could not close the watch on {0}", file);
        }
    }

    private @Nullable WatchService openNotices() {
        try {
            return file.getFileSystem().newWatchService();
        } catch (IOException | UnsupportedOperationException e) {
            log().log(DEBUG, "No notices of changes; {0} is looked at now and then", file);
            return null;
        }
    }

    /** Reads the file if it is not as it was, once it has come to rest. */
    private void look() throws InterruptedException {
        watchFolders();
        Sight sight = sight();
        if (sight.equals(seen)) {
            return;
        }
        seen = atRest(sight);
        read();
    }

    private Sight atRest(Sight first) throws InterruptedException {
        Sight sight = first;
        long start = System.nanoTime();
        long restless = start;
        // A file that never rests is read all the same: it is checked as a whole anyway.
        long patience = timing.rest().toNanos() * RESTS_MAX;
        while (true) {
            long now = System.nanoTime();
            long left = timing.rest().toNanos() - (now - restless);
            if (left <= 0 || now - start > patience) {
                return sight;
            }
            await(Duration.ofNanos(left));
            Sight next = sight();
            if (!next.equals(sight)) {
                sight = next;
                restless = System.nanoTime();
            }
        }
    }

    private void read() {
        byte[] now;
        try {
            now = AtomicFile.read(file, ConfigReader.FILE_BYTES_MAX);
        } catch (IOException e) {
            now = null;
        }
        boolean same = hasRead && Arrays.equals(content, now);
        if (same || closed.getCount() == 0) {
            return;
        }
        hasRead = true;
        content = now;
        try {
            tell(now == null ? reader.read(file) : reader.read(now));
        } catch (RuntimeException e) {
            log().log(ERROR, "The new configuration could not be put in force", e);
        }
    }

    private void tell(ConfigFile read) {
        switch (read) {
            case ConfigFile.Faulty faulty -> {
                broken = true;
                listener.broken(faulty.findings());
            }
            case ConfigFile.Valid(Configuration now, List<Finding> findings) -> {
                var diff = ConfigurationDiff.between(active, now);
                if (broken || !diff.isEmpty()) {
                    broken = false;
                    active = now;
                    listener.changed(now, diff, findings);
                }
            }
        }
    }

    /** Waits for a notice, or for the time to pass. */
    private void await(Duration time) throws InterruptedException {
        if (notices == null) {
            closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
            return;
        }
        WatchKey key = notices.poll(time.toNanos(), TimeUnit.NANOSECONDS);
        if (key != null) {
            // The same size and time do not prove the same content.
            if (key.pollEvents().stream().anyMatch(this::isOfTheFile)) {
                seen = Sight.NONE;
            }
            if (!key.reset()) {
                watched.values().remove(key);
            }
        }
    }

    private boolean isOfTheFile(WatchEvent<?> event) {
        return !(event.context() instanceof Path name) || names.contains(name);
    }

    private Sight sight() {
        try {
            Path real = file.toRealPath();
            var attributes = Files.readAttributes(real, BasicFileAttributes.class);
            return new Sight(
                    real,
                    attributes.fileKey(),
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.size());
        } catch (IOException e) {
            return new Sight(file, null, -1, -1);
        }
    }

    /**
     * Watches the folder of the file and, where it is a link, the folders that it leads through.
     */
    private void watchFolders() {
        if (notices == null) {
            return;
        }
        Set<Path> files = new LinkedHashSet<>(Set.of(file));
        try {
            files.add(AtomicFile.target(file));
            files.add(file.toRealPath());
        } catch (IOException e) {
            log().log(DEBUG, "{0} leads to no file", file);
        }
        names = files.stream().map(Path::getFileName).collect(Collectors.toSet());
        Set<Path> folders = files.stream().map(Path::getParent).collect(Collectors.toSet());
        for (Path folder : folders) {
            if (!watched.containsKey(folder)) {
                watch(folder, notices);
            }
        }
        watched.entrySet().removeIf(entry -> drop(entry, folders));
    }

    private void watch(Path folder, WatchService service) {
        try {
            watched.put(folder, folder.register(service, ENTRY_CREATE, ENTRY_MODIFY, ENTRY_DELETE));
        } catch (IOException e) {
            log().log(DEBUG, "No notices of changes in {0}", folder);
        }
    }

    private static boolean drop(Map.Entry<Path, WatchKey> entry, Set<Path> wanted) {
        boolean drop = !wanted.contains(entry.getKey());
        if (drop) {
            entry.getValue().cancel();
        }
        return drop;
    }

    /** Looked up when needed: the first one made costs a start several milliseconds. */
    private static System.Logger log() {
        return System.getLogger(ConfigWatcher.class.getName());
    }
}
