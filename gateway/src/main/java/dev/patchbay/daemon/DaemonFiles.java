package dev.patchbay.daemon;

import dev.patchbay.files.PrivateFile;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The files of the user's daemon: its socket and locks in a directory that only the user may enter,
 * and its log in the state directory.
 */
public record DaemonFiles(Path directory, Path log) {
    /** What every system takes as the name of a socket. */
    private static final int SOCKET_PATH_BYTES_MAX = 103;

    private static final Set<PosixFilePermission> OWNER_RIGHTS =
            EnumSet.of(
                    PosixFilePermission.OWNER_READ,
                    PosixFilePermission.OWNER_WRITE,
                    PosixFilePermission.OWNER_EXECUTE);

    /** The files in the user's run time directory, or in the state directory if there is none. */
    public static DaemonFiles locate(Map<String, String> variables, Path stateDir) {
        String named = variables.getOrDefault("XDG_RUNTIME_DIR", "");
        Path runtime = Path.of(named);
        boolean isUsable = !named.isEmpty() && runtime.isAbsolute() && Files.isDirectory(runtime);
        Path directory = isUsable ? runtime.resolve("patchbay") : stateDir.resolve("run");
        return new DaemonFiles(directory, stateDir.resolve("daemon.log"));
    }

    public Path socket() {
        return directory.resolve("daemon.sock");
    }

    /** Held by the process that starts a daemon, so that no second one starts at the same time. */
    Path startLock() {
        return directory.resolve("start.lock");
    }

    /** Held by the daemon that listens on the socket. */
    Path daemonLock() {
        return directory.resolve("daemon.lock");
    }

    /** Creates the directory if it does not exist. */
    void create() throws IOException {
        PrivateFile.createFolder(directory);
        Path state = log.getParent();
        if (state != null) {
            PrivateFile.createFolder(state);
        }
    }

    /**
     * The owner of the directory, which is the user.
     *
     * @throws IOException if the directory does not exist, belongs to somebody else, or is open to
     *     others
     */
    UserPrincipal requirePrivate() throws IOException {
        int length = socket().toString().getBytes(StandardCharsets.UTF_8).length;
        if (length > SOCKET_PATH_BYTES_MAX) {
            throw refused("the path is too long for a socket");
        }
        PosixFileAttributes found =
                Files.readAttributes(
                        directory, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        if (!found.isDirectory()) {
            throw refused("this is not a directory");
        }
        if (!found.owner().equals(user())) {
            throw refused("the directory belongs to " + found.owner().getName());
        }
        if (!OWNER_RIGHTS.containsAll(found.permissions())) {
            throw refused("other users may enter the directory; run chmod 700 on it");
        }
        return found.owner();
    }

    private FileSystemException refused(String why) {
        return new FileSystemException(directory.toString(), null, why);
    }

    private UserPrincipal user() throws IOException {
        Path process = Path.of("/proc/self");
        return Files.exists(process)
                ? Files.getOwner(process)
                : directory
                        .getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName(System.getProperty("user.name"));
    }
}
