package dev.patchbay.sandbox;

import dev.patchbay.sandbox.SandboxView.Network;
import dev.patchbay.sandbox.SandboxView.Place;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The program bubblewrap, if it works on this machine. It starts programs in namespaces of their
 * own: they see other files, and no process but theirs.
 */
final class Bubblewrap {
    private static final List<String> FOLDERS =
            List.of("/usr/bin", "/bin", "/usr/local/bin", "/run/current-system/sw/bin");
    private static final long PROBE_TIMEOUT_S = 10;
    private static final int FILTER_DESCRIPTOR = 9;

    /** Opens the filter, which Java cannot pass on, and becomes bubblewrap. */
    private static final String OPEN_FILTER = "exec 9<\"$1\" || exit 126; shift; exec \"$@\"";

    private final Path program;

    /** Without it, only root can use bubblewrap. */
    private final boolean hasUserNamespaces;

    private Bubblewrap(Path program, boolean hasUserNamespaces) {
        this.program = program;
        this.hasUserNamespaces = hasUserNamespaces;
    }

    /** Finds the program and tries whether it works. */
    static Optional<Bubblewrap> find(@Nullable String path) throws IOException {
        Stream<String> searched =
                Stream.concat(
                        FOLDERS.stream(),
                        Stream.of((path == null ? "" : path).split(":", -1))
                                .filter(it -> it.startsWith("/")));
        Optional<Path> found =
                searched.map(folder -> Path.of(folder, "bwrap"))
                        .filter(Files::isExecutable)
                        .findFirst();
        if (found.isEmpty()) {
            return Optional.empty();
        }
        for (boolean user : List.of(true, false)) {
            var candidate = new Bubblewrap(found.get(), user);
            if (candidate.works()) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Whether a program can be started with everything that a sandbox needs. */
    private boolean works() throws IOException {
        var words = new ArrayList<>(isolation());
        words.addAll(
                List.of(
                        "--unshare-net",
                        "--ro-bind",
                        "/",
                        "/",
                        "--dev",
                        "/dev",
                        "--proc",
                        "/proc"));
        words.addAll(List.of("--tmpfs", "/tmp", "--", "/bin/sh", "-c", "exit 0"));
        Process probe =
                new ProcessBuilder(words)
                        .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
                        .redirectOutput(Redirect.DISCARD)
                        .redirectError(Redirect.DISCARD)
                        .start();
        try {
            return probe.waitFor(PROBE_TIMEOUT_S, TimeUnit.SECONDS) && probe.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            probe.destroyForcibly();
        }
    }

    private List<String> isolation() {
        var words = new ArrayList<String>();
        words.add(program.toString());
        if (hasUserNamespaces) {
            words.add("--unshare-user");
        }
        words.addAll(List.of("--unshare-pid", "--unshare-ipc", "--unshare-uts"));
        words.addAll(List.of("--unshare-cgroup-try", "--cap-drop", "ALL"));
        return words;
    }

    /**
     * The command that runs another one with a view of the system.
     *
     * @param filter a file with a program that refuses system calls
     * @param socket a socket that the program can connect to, and its path there; may be absent
     */
    List<String> command(
            SandboxView view, Path filter, @Nullable ProxySocket socket, List<String> confined)
            throws IOException {
        var words = new ArrayList<String>();
        words.addAll(List.of("/bin/sh", "-c", OPEN_FILTER, "sandbox", filter.toString()));
        words.addAll(isolation());
        if (!(view.network() instanceof Network.Open)) {
            words.add("--unshare-net");
        }
        addBase(words, view);
        view.scratch().forEach(folder -> addMount(words, "--tmpfs", folder));
        if (!view.isWholeSystem()) {
            if (view.home().getNameCount() > 0) {
                addMount(words, "--tmpfs", view.home());
            }
            addMount(words, "--dir", view.folder());
        }
        // Outer folders first: a later mount covers what is below it.
        List<Place> sorted =
                view.places().stream()
                        .sorted(Comparator.comparingInt(it -> it.real().getNameCount()))
                        .toList();
        addPlaces(words, view, sorted.stream().filter(it -> !view.isHidden(it.real())).toList());
        for (Path path : view.hidden()) {
            addHidden(words, view, path);
        }
        addPlaces(words, view, sorted.stream().filter(it -> view.isHidden(it.real())).toList());
        for (Path path : view.hidden()) {
            if (isCovered(view, path) && Files.isDirectory(path)) {
                addMount(words, "--remount-ro", path);
            }
        }
        if (socket != null) {
            addBind(words, "--bind", socket.outside(), socket.inside());
        }
        words.addAll(List.of("--seccomp", Integer.toString(FILTER_DESCRIPTOR)));
        words.addAll(List.of("--chdir", view.folder().toString(), "--"));
        words.addAll(confined);
        return words;
    }

    /** A socket of the gateway and where the confined program finds it. */
    record ProxySocket(Path outside, Path inside) {}

    private static void addBase(List<String> words, SandboxView view) throws IOException {
        if (view.isWholeSystem()) {
            addBind(words, "--ro-bind", Path.of("/"), Path.of("/"));
        } else {
            for (Path path : view.base()) {
                if (Files.isSymbolicLink(path)) {
                    words.add("--symlink");
                    words.add(Files.readSymbolicLink(path).toString());
                    words.add(path.toString());
                } else {
                    addBind(words, "--ro-bind", path, path);
                }
            }
        }
        words.addAll(List.of("--dev", "/dev", "--proc", "/proc"));
        if (!view.isWholeSystem() || isRoot()) {
            // Root may write to the settings of the kernel there, even without capabilities.
            words.addAll(List.of("--remount-ro", "/proc"));
        }
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static void addPlaces(List<String> words, SandboxView view, List<Place> places) {
        for (Place place : places) {
            String option = place.isWritable() ? "--bind" : "--ro-bind";
            addBind(words, option, place.real(), place.real());
            if (!view.isWholeSystem() && !place.path().equals(place.real())) {
                addBind(words, option, place.real(), place.path());
            }
        }
    }

    private static void addHidden(List<String> words, SandboxView view, Path path) {
        if (isCovered(view, path)) {
            if (Files.isDirectory(path)) {
                addMount(words, "--tmpfs", path);
            } else {
                addBind(words, "--ro-bind", Path.of("/dev/null"), path);
            }
        }
    }

    /** Whether a hidden path would be visible, so that something else must cover it. */
    private static boolean isCovered(SandboxView view, Path path) {
        boolean isInPlace = view.places().stream().anyMatch(it -> path.startsWith(it.real()));
        boolean isInScratch = view.scratch().stream().anyMatch(path::startsWith);
        return isInPlace || (!isInScratch && view.base().stream().anyMatch(path::startsWith));
    }

    private static void addMount(List<String> words, String option, Path path) {
        words.add(option);
        words.add(path.toString());
    }

    private static void addBind(List<String> words, String option, Path from, Path to) {
        words.add(option);
        words.add(from.toString());
        words.add(to.toString());
    }
}
