package dev.patchbay.repl.maven;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/**
 * The folder in which Maven keeps what it has downloaded.
 *
 * @param timeMax what was found by then is told, and that it is not all
 */
public record LocalRepository(Path folder, Duration timeMax) {
    private static final int FILES_MAX = 1_000_000;
    private static final Pattern LOCAL_REPOSITORY =
            Pattern.compile("<localRepository>\\s*([^<>]+?)\\s*</localRepository>");

    /** An artifact with the versions that are there. */
    public record Artifact(String group, String name, List<String> versions) {
        public Artifact {
            versions = List.copyOf(versions);
        }
    }

    /** What a search found, and whether it looked everywhere. */
    public record Found<T>(List<T> results, int looked, boolean isComplete) {
        public Found {
            results = List.copyOf(results);
        }
    }

    /**
     * The repository of the user: as Maven's settings say, else in the home folder.
     *
     * @param override a folder that stands before both; empty for none
     */
    public static LocalRepository ofUser(String override, Path home, Duration timeMax) {
        Path settings = home.resolve(".m2").resolve("settings.xml");
        String folder = override;
        if (folder.isEmpty() && Files.isRegularFile(settings)) {
            folder = fromSettings(settings).replace("${user.home}", home.toString());
        }
        Path place =
                folder.isEmpty() || folder.contains("${")
                        ? home.resolve(".m2").resolve("repository")
                        : Path.of(folder);
        return new LocalRepository(place, timeMax);
    }

    private static String fromSettings(Path settings) {
        try {
            Matcher found = LOCAL_REPOSITORY.matcher(Files.readString(settings));
            return found.find() ? found.group(1) : "";
        } catch (IOException e) {
            return "";
        }
    }

    /** The artifacts whose group and name contain all words. */
    public Found<Artifact> search(List<String> words) throws IOException, InterruptedException {
        var versions = new TreeMap<String, TreeSet<String>>();
        var walk =
                new Walk(
                        file -> {
                            String name = String.valueOf(file.getFileName());
                            Path version = file.getParent();
                            if (name.endsWith(".pom") && version != null) {
                                addVersion(version, words, versions);
                            }
                        });
        walk.run();
        var found = new ArrayList<Artifact>();
        for (Map.Entry<String, TreeSet<String>> one : versions.entrySet()) {
            String[] parts = one.getKey().split(":", 2);
            found.add(new Artifact(parts[0], parts[1], List.copyOf(one.getValue())));
        }
        return new Found<>(found, walk.looked, !walk.stopped);
    }

    private void addVersion(Path version, List<String> words, Map<String, TreeSet<String>> target) {
        Path artifact = version.getParent();
        Path group = artifact == null ? null : artifact.getParent();
        if (artifact == null
                || group == null
                || !group.startsWith(folder)
                || group.equals(folder)) {
            return;
        }
        String coordinate =
                folder.relativize(group).toString().replace('\\', '/').replace('/', '.')
                        + ":"
                        + artifact.getFileName();
        String lower = coordinate.toLowerCase(Locale.ROOT);
        if (words.stream().allMatch(word -> lower.contains(word.toLowerCase(Locale.ROOT)))) {
            target.computeIfAbsent(coordinate, _ -> new TreeSet<>())
                    .add(version.getFileName().toString());
        }
    }

    /** The jars that hold a class, by its simple or full name. */
    public Found<Path> jarsWith(String className) throws IOException, InterruptedException {
        String wanted = className.replace('.', '/') + ".class";
        var found = new ArrayList<Path>();
        var walk =
                new Walk(
                        file -> {
                            String name = String.valueOf(file.getFileName());
                            if (name.endsWith(".jar")
                                    && !name.endsWith("-sources.jar")
                                    && !name.endsWith("-javadoc.jar")
                                    && holds(file, wanted)) {
                                found.add(file);
                            }
                        });
        walk.run();
        found.sort(null);
        return new Found<>(found, walk.looked, !walk.stopped);
    }

    /** Whether a jar has an entry of that name, in any folder if the name has none. */
    public static boolean holds(Path jar, String entry) {
        try (var file = new ZipFile(jar.toFile())) {
            if (file.getEntry(entry) != null) {
                return true;
            }
            return !entry.contains("/")
                    && file.stream()
                            .anyMatch(
                                    it ->
                                            it.getName().endsWith("/" + entry)
                                                    || it.getName().endsWith("$" + entry));
        } catch (IOException e) {
            // A broken or half-written jar holds nothing that could be used.
            return false;
        }
    }

    /** A walk over all files, within the time and as long as the caller is not interrupted. */
    private final class Walk extends SimpleFileVisitor<Path> {
        private final Consumer<Path> action;
        private final long end = System.nanoTime() + timeMax.toNanos();
        private int looked;
        private boolean stopped;

        Walk(Consumer<Path> action) {
            this.action = action;
        }

        void run() throws IOException, InterruptedException {
            if (!Files.isDirectory(folder)) {
                throw new IOException("There is no local Maven repository at " + folder);
            }
            Files.walkFileTree(folder, this);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            stopped =
                    looked >= FILES_MAX
                            || System.nanoTime() - end > 0
                            || Thread.currentThread().isInterrupted();
            if (stopped) {
                return FileVisitResult.TERMINATE;
            }
            looked++;
            action.accept(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
        }
    }
}
