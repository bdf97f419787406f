package dev.patchbay.sandbox;

import dev.patchbay.sandbox.SandboxView.Network;
import dev.patchbay.sandbox.SandboxView.Place;
import dev.patchbay.server.PermanentOpenException;
import dev.patchbay.server.SandboxPolicy.Standard;
import dev.patchbay.server.SandboxPolicy.Strict;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Derives what one process may see from the policy of its server. */
final class SandboxViewFactory {
    private static final Path ROOT = Path.of("/");

    /** Private for each process. Sockets of other programs are in them. */
    private static final List<Path> SCRATCH =
            Stream.of("/tmp", "/var/tmp", "/run").map(Path::of).toList();

    /** In the private folders, but needed to resolve names and to find programs. */
    private static final List<String> VISIBLE_IN_SCRATCH =
            List.of(
                    "/run/systemd/resolve/resolv.conf",
                    "/run/systemd/resolve/stub-resolv.conf",
                    "/run/resolvconf/resolv.conf",
                    "/run/NetworkManager/resolv.conf",
                    "/run/NetworkManager/no-stub-resolv.conf",
                    "/run/current-system",
                    "/run/opengl-driver");

    /** Folders of the system that are never writable, even if a program runs in them. */
    private static final List<Path> SYSTEM_FOLDERS =
            Stream.of("/bin", "/boot", "/dev", "/etc", "/lib", "/proc", "/sbin", "/sys", "/usr")
                    .map(Path::of)
                    .toList();

    /** What programs need to run: no data of users and services. */
    private static final List<String> SYSTEM_LIBRARIES =
            List.of(
                    "/usr",
                    "/bin",
                    "/sbin",
                    "/lib",
                    "/lib32",
                    "/lib64",
                    "/libx32",
                    "/nix/store",
                    "/gnu/store",
                    "/etc/alternatives",
                    "/etc/ca-certificates",
                    "/etc/ca-certificates.conf",
                    "/etc/crypto-policies",
                    "/etc/fonts",
                    "/etc/gai.conf",
                    "/etc/group",
                    "/etc/host.conf",
                    "/etc/hosts",
                    "/etc/inputrc",
                    "/etc/java",
                    "/etc/ld.so.cache",
                    "/etc/ld.so.conf",
                    "/etc/ld.so.conf.d",
                    "/etc/locale.alias",
                    "/etc/localtime",
                    "/etc/login.defs",
                    "/etc/mime.types",
                    "/etc/nsswitch.conf",
                    "/etc/os-release",
                    "/etc/passwd",
                    "/etc/pki",
                    "/etc/profile",
                    "/etc/protocols",
                    "/etc/python3",
                    "/etc/resolv.conf",
                    "/etc/services",
                    "/etc/ssl",
                    "/etc/static",
                    "/etc/terminfo",
                    "/etc/timezone");

    /** Folders of package runners below the home folder. */
    private static final List<String> CACHES =
            List.of(
                    ".npm",
                    ".yarn",
                    ".bun/install/cache",
                    ".local/share/pnpm/store",
                    ".local/share/uv",
                    ".local/share/pipx",
                    ".cargo/registry",
                    ".gradle/caches",
                    ".m2/repository",
                    ".cache/deno",
                    "go/pkg/mod");

    /** The caches that a package runner needs at its first start, below the home folder. */
    private static final Map<String, List<String>> RUNNER_CACHES =
            Map.of(
                    "npx", List.of(".npm"),
                    "npm", List.of(".npm"),
                    "uvx", List.of(".cache/uv", ".local/share/uv"),
                    "uv", List.of(".cache/uv", ".local/share/uv"),
                    "pipx", List.of(".cache/pipx", ".local/share/pipx"));

    private final SandboxHost host;
    private final List<Path> hidden;

    SandboxViewFactory(SandboxHost host) {
        this.host = host;
        var secret = new ArrayList<>(CredentialPaths.existing(host.homes()));
        secret.addAll(CredentialPaths.realPaths(host.gatewayPaths()));
        this.hidden = List.copyOf(secret);
    }

    /**
     * @param program the file that is run
     * @param folder the working directory
     */
    SandboxView standard(Standard policy, Path program, Path folder) throws IOException {
        var places = new ArrayList<Place>();
        addInScratch(places, programPlaces(program));
        addExisting(places, VISIBLE_IN_SCRATCH.stream().map(Path::of).toList(), false);
        createCachesFor(program);
        addExisting(places, caches(), true);
        var folders = new ArrayList<Place>();
        addExisting(folders, host.homes(), false);
        if (mayWrite(folder)) {
            addExisting(places, List.of(folder), true);
        } else {
            addExisting(folders, List.of(folder), false);
        }
        addInScratch(places, folders);
        List<Place> chosen = new ArrayList<>(chosenPlaces("read", policy.read(), folder, false));
        chosen.addAll(chosenPlaces("write", policy.write(), folder, true));
        requireNoPlantedLinks(chosen, places);
        places.addAll(chosen);
        return view(List.of(ROOT), places, folder, new Network.Open());
    }

    SandboxView strict(Strict policy, Path program, Path folder) throws IOException {
        var places = new ArrayList<>(programPlaces(program));
        addExisting(places, VISIBLE_IN_SCRATCH.stream().map(Path::of).toList(), false);
        List<Place> chosen = new ArrayList<>(chosenPlaces("read", policy.read(), folder, false));
        chosen.addAll(chosenPlaces("write", policy.write(), folder, true));
        requireNoPlantedLinks(chosen, List.of());
        places.addAll(chosen);
        if (!policy.network().isEmpty()) {
            addExisting(places, BubblewrapLauncher.bridgeFiles(), false);
        }
        List<Path> base = SYSTEM_LIBRARIES.stream().map(Path::of).filter(Files::exists).toList();
        Network network =
                policy.network().isEmpty()
                        ? new Network.Closed()
                        : new Network.Proxied(policy.network());
        return view(base, places, folder, network);
    }

    private SandboxView view(List<Path> base, List<Place> places, Path folder, Network network) {
        // A hidden path that the user names is meant.
        List<Path> stillHidden =
                hidden.stream()
                        .filter(path -> places.stream().noneMatch(it -> it.real().equals(path)))
                        .toList();
        List<Path> scratch = SCRATCH.stream().filter(Files::isDirectory).toList();
        return new SandboxView(base, scratch, stillHidden, places, host.home(), folder, network);
    }

    /** The program, and the folder that it was installed to. */
    private List<Place> programPlaces(Path program) throws IOException {
        var places = new ArrayList<Place>();
        Path real = program.toRealPath();
        for (Path file : program.equals(real) ? List.of(real) : List.of(program, real)) {
            places.add(new Place(file, real, false));
            Path prefix = installationFolder(file);
            if (prefix != null) {
                addExisting(places, List.of(prefix), false);
            }
        }
        return places;
    }

    /** The folder above {@code bin}, unless it holds more than one program. */
    private @Nullable Path installationFolder(Path program) {
        Path bin = program.getParent();
        if (bin == null || !bin.endsWith("bin")) {
            return null;
        }
        Path prefix = bin.getParent();
        boolean isShared =
                prefix == null
                        || prefix.endsWith(".local")
                        || host.homes().stream().anyMatch(home -> home.startsWith(prefix))
                        || SYSTEM_FOLDERS.stream().anyMatch(prefix::startsWith);
        return isShared ? null : prefix;
    }

    private void createCachesFor(Path program) {
        String name = String.valueOf(program.getFileName());
        for (String cache : RUNNER_CACHES.getOrDefault(name, List.of())) {
            try {
                Files.createDirectories(host.home().resolve(cache));
            } catch (IOException _) {
                // The package runner reports what it cannot write.
            }
        }
    }

    private List<Path> caches() {
        var found = new ArrayList<Path>();
        found.add(host.folder("XDG_CACHE_HOME", host.home().resolve(".cache")));
        CACHES.forEach(name -> found.add(host.home().resolve(name)));
        return found;
    }

    /** Whether a working directory is a project, and not the home folder or a system folder. */
    private boolean mayWrite(Path folder) throws IOException {
        Path real = folder.toRealPath();
        return host.homes().stream().noneMatch(home -> home.startsWith(real))
                && SYSTEM_FOLDERS.stream().noneMatch(real::startsWith)
                && SCRATCH.stream().noneMatch(real::equals)
                && hidden.stream().noneMatch(real::startsWith)
                && !real.equals(ROOT);
    }

    private static void addExisting(List<Place> places, List<Path> paths, boolean isWritable) {
        for (Path path : paths) {
            try {
                places.add(new Place(path, path.toRealPath(), isWritable));
            } catch (IOException _) {
                // It does not exist.
            }
        }
    }

    /** Adds the places that a private folder would cover. The others are visible anyway. */
    private static void addInScratch(List<Place> places, List<Place> candidates) {
        for (Place place : candidates) {
            if (SCRATCH.stream().anyMatch(it -> isBelow(place.real(), it))) {
                places.add(place);
            }
        }
    }

    private static boolean isBelow(Path path, Path folder) {
        return path.startsWith(folder) && !path.equals(folder);
    }

    private List<Place> chosenPlaces(
            String key, List<String> texts, Path folder, boolean isWritable) throws IOException {
        var places = new ArrayList<Place>();
        for (String text : texts) {
            Path path = folder.resolve(withHome(text)).toAbsolutePath().normalize();
            if (!Files.exists(path)) {
                throw new PermanentOpenException(
                        "sandbox.%s: no such file: %s"
                                .formatted(key, DisplayText.escape(path.toString())));
            }
            Path real = path.toRealPath();
            boolean isHidden = hidden.stream().anyMatch(real::startsWith);
            if (isHidden && !path.equals(real) && hidden.stream().noneMatch(path::startsWith)) {
                throw new PermanentOpenException(
                        "sandbox.%s: %s is a link to a path that is hidden"
                                .formatted(key, DisplayText.escape(path.toString())));
            }
            places.add(new Place(path, real, isWritable));
        }
        return places;
    }

    private String withHome(String text) {
        if (text.equals("~")) {
            return host.home().toString();
        }
        return text.startsWith("~/") ? host.home().resolve(text.substring(2)).toString() : text;
    }

    /**
     * Refuses a place inside a folder that the program can write to and that leads out of it: an
     * earlier run may have put a link there.
     */
    private static void requireNoPlantedLinks(List<Place> chosen, List<Place> others)
            throws IOException {
        for (Place place : chosen) {
            boolean isPlanted =
                    Stream.concat(chosen.stream(), others.stream())
                            .filter(it -> it.isWritable() && !it.path().equals(place.path()))
                            .anyMatch(
                                    it ->
                                            place.path().startsWith(it.path())
                                                    && !place.real().startsWith(it.real()));
            if (isPlanted) {
                throw new PermanentOpenException(
                        "sandbox: %s is a link out of a folder that the server can write to"
                                .formatted(DisplayText.escape(place.path().toString())));
            }
        }
    }
}
