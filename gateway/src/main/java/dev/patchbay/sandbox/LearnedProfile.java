package dev.patchbay.sandbox;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a recorded run used, as a profile for the level strict. Files of packages are summed up as
 * the folder of the packages, and many files of a folder as this folder.
 */
final class LearnedProfile {
    /** From this number on, files of a folder are summed up. */
    private static final int FILES_OF_FOLDER_MAX = 8;

    private static final int PATHS_MAX = 1_000;
    private static final List<String> PACKAGE_FOLDERS =
            List.of("node_modules", "site-packages", "dist-packages");

    /** Always there in strict, or used by bubblewrap only. */
    private static final List<Path> NOT_NOTED =
            Stream.of("/dev", "/proc", "/sys", "/newroot", "/oldroot").map(Path::of).toList();

    private final SandboxView recorded;
    private final SandboxView strict;
    private final Set<Path> read = new TreeSet<>();
    private final Set<Path> write = new TreeSet<>();
    private final Set<String> direct = new TreeSet<>();
    private final Path home;
    private final String program;
    private boolean hasBridgeStarted;
    private boolean hasProgramStarted;

    /**
     * @param recorded what the program could use in the recorded run
     * @param strict what the program may use in strict without a profile
     * @param program the path of the program; what precedes its start is not its doing
     */
    LearnedProfile(SandboxView recorded, SandboxView strict, Path program) {
        this.recorded = recorded;
        this.strict = strict;
        this.home = strict.home();
        this.program = program.toString();
    }

    /** Takes one line of strace into account. */
    void add(String line) {
        if (!hasProgramStarted) {
            hasBridgeStarted |=
                    line.startsWith("execve(") && line.contains(BubblewrapLauncher.BRIDGE_CLASS);
            hasProgramStarted = hasBridgeStarted && line.startsWith("execve(\"" + program + "\"");
            return;
        }
        int result = line.lastIndexOf(" = ");
        if (result < 0 || line.startsWith("-1", result + 3)) {
            return;
        }
        if (line.startsWith("connect(")) {
            addConnection(line);
        } else if (line.startsWith("open") || line.startsWith("creat")) {
            int from = line.indexOf('<', result);
            if (from >= 0 && line.endsWith(">")) {
                addFile(line.substring(from + 1, line.length() - 1), isForWriting(line));
            }
        } else {
            boolean isChange = !line.startsWith("execve(");
            quotedPaths(line).forEach(path -> addFile(path, isChange));
        }
    }

    private static boolean isForWriting(String line) {
        return line.contains("O_WRONLY")
                || line.contains("O_RDWR")
                || line.contains("O_CREAT")
                || line.startsWith("creat");
    }

    /** The absolute paths in quotes. */
    private static List<String> quotedPaths(String line) {
        String[] parts = line.split("\"", -1);
        return Stream.iterate(1, i -> i < parts.length && i < 5, i -> i + 2)
                .map(i -> parts[i])
                .filter(part -> part.startsWith("/"))
                .toList();
    }

    private void addFile(String text, boolean isChange) {
        if (!text.startsWith("/") || text.endsWith(" (deleted)")) {
            return;
        }
        Path path = Path.of(text).normalize();
        boolean isKnown =
                NOT_NOTED.stream().anyMatch(path::startsWith)
                        || strict.base().stream().anyMatch(path::startsWith)
                        || strict.places().stream().anyMatch(it -> path.startsWith(it.real()))
                        || BubblewrapLauncher.bridgeFiles().stream().anyMatch(path::startsWith)
                        || isPrivate(path)
                        || home.startsWith(path);
        if (isKnown) {
            return;
        }
        if (isChange) {
            Path folder = path.getParent();
            write.add(folder == null || home.startsWith(folder) ? path : folder);
        } else {
            read.add(packageFolder(path));
        }
    }

    /** Whether a path was in a folder that only this run had. */
    private boolean isPrivate(Path path) {
        return recorded.scratch().stream().anyMatch(path::startsWith)
                && recorded.places().stream().noneMatch(it -> path.startsWith(it.real()));
    }

    private static Path packageFolder(Path path) {
        for (int i = 1; i <= path.getNameCount(); i++) {
            if (PACKAGE_FOLDERS.contains(path.getName(i - 1).toString())) {
                return Path.of("/").resolve(path.subpath(0, i));
            }
        }
        return path;
    }

    /** Notes a connection that did not use the proxy. */
    private void addConnection(String line) {
        int port = line.indexOf("port=htons(");
        int address = line.indexOf("inet_addr(\"");
        if (port >= 0 && address >= 0 && !line.contains("\"127.")) {
            String number = line.substring(port + 11, line.indexOf(')', port));
            int from = address + 11;
            direct.add(line.substring(from, line.indexOf('"', from)) + ":" + number);
        }
    }

    /**
     * Writes the profile, together with what earlier runs needed.
     *
     * @param hosts what the program reached through the proxy
     */
    void writeTo(Path file, Collection<String> hosts) throws IOException {
        var network = new TreeSet<>(hosts);
        Json earlier = earlierProfile(file);
        if (earlier != null) {
            texts(earlier, "read").forEach(text -> read.add(Path.of(text)));
            texts(earlier, "write").forEach(text -> write.add(Path.of(text)));
            network.addAll(texts(earlier, "network"));
        }
        List<String> written = paths(write, List.of());
        var json = new JsonWriter().beginObject().name("sandbox").beginObject();
        json.member("level", "strict");
        addTexts(json, "read", paths(read, written));
        addTexts(json, "write", written);
        if (network.isEmpty()) {
            json.member("network", false);
        } else {
            addTexts(json, "network", network);
        }
        json.endObject();
        if (!direct.isEmpty()) {
            addTexts(json, "connectedWithoutProxy", direct);
        }
        byte[] bytes = (json.endObject().toJson() + "\n").getBytes(StandardCharsets.UTF_8);
        Path folder = file.getParent();
        if (folder != null) {
            PrivateFile.createFolder(folder);
        }
        PrivateFile.replace(file, bytes);
    }

    private static @Nullable Json earlierProfile(Path file) throws IOException {
        try {
            return Files.exists(file)
                    ? Json.parse(Files.readAllBytes(file)).member("sandbox")
                    : null;
        } catch (JsonException _) {
            return null;
        }
    }

    private static List<String> texts(Json object, String name) {
        Json list = object.member(name);
        return list == null || !list.isArray()
                ? List.of()
                : list.elements().stream().map(Json::text).toList();
    }

    /** Those that exist, summed up, without those inside others. */
    private static List<String> paths(Set<Path> found, List<String> covered) {
        Map<Path, Integer> counts = new HashMap<>();
        for (Path path : found) {
            Path folder = path.getParent();
            if (folder != null) {
                counts.merge(folder, 1, Integer::sum);
            }
        }
        var summed = new TreeSet<Path>();
        for (Path path : found) {
            Path folder = path.getParent();
            boolean isOneOfMany =
                    folder != null && counts.getOrDefault(folder, 0) > FILES_OF_FOLDER_MAX;
            summed.add(isOneOfMany ? folder : path);
        }
        return summed.stream()
                .filter(Files::exists)
                .filter(
                        path ->
                                summed.stream()
                                        .noneMatch(it -> !it.equals(path) && path.startsWith(it)))
                .filter(path -> covered.stream().noneMatch(path::startsWith))
                .limit(PATHS_MAX)
                .map(Path::toString)
                .toList();
    }

    private static void addTexts(JsonWriter json, String name, Collection<String> texts) {
        json.name(name).beginArray();
        texts.forEach(json::string);
        json.endArray();
    }
}
