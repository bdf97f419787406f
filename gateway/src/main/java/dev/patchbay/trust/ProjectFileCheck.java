package dev.patchbay.trust;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.regex.Pattern;

/**
 * Decides whether a project file is under the control of the user alone: it and its directory
 * belong to the user, no other user can write to them, and the file is no link to another place.
 */
final class ProjectFileCheck {
    private static final int GROUP_WRITE = 0020;
    private static final int OTHERS_WRITE = 0002;
    private static final int STICKY = 01000;

    /**
     * On Linux, what the kernel says of this process. The owner of the directory does not tell: it
     * is root for a process that others must not inspect.
     */
    private static final Path OWN_STATUS = Path.of("/proc/self/status");

    private static final Pattern EFFECTIVE_UID = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+(\\d+)");

    private final Path file;
    private final Path home;

    /**
     * @param home the user's home directory, whose owner is taken for the user where the system
     *     does not tell which user runs this process
     */
    ProjectFileCheck(Path file, Path home) {
        this.file = file.toAbsolutePath();
        this.home = home;
    }

    /**
     * Returns what is unsafe, as the rest of a sentence that begins with the file; null if safe.
     */
    @Nullable String problem() {
        try {
            Path real = file.toRealPath();
            Path folder = file.getParent() == null ? real : file.getParent().toRealPath();
            if (!real.startsWith(folder)) {
                return "is a link to "
                        + DisplayText.escape(real.toString())
                        + ", outside its directory";
            }
            if (!Files.isRegularFile(real)) {
                return "is not a regular file";
            }
            if (!Files.getFileStore(real).supportsFileAttributeView(PosixFileAttributeView.class)) {
                return null;
            }
            String problem = ownership(real, "");
            return problem != null ? problem : folderProblem(real.getParent());
        } catch (IOException e) {
            return "cannot be checked: " + DisplayText.escape(String.valueOf(e.getMessage()));
        }
    }

    private @Nullable String folderProblem(@Nullable Path folder) throws IOException {
        if (folder == null) {
            return null;
        }
        int mode = (Integer) Files.getAttribute(folder, "unix:mode");
        boolean mine = uid(folder) == ownUid();
        // Nobody else can replace files in a sticky directory of the user.
        return mine && (mode & STICKY) != 0 ? null : ownership(folder, "is in a directory that ");
    }

    private @Nullable String ownership(Path path, String lead) throws IOException {
        if (uid(path) != ownUid()) {
            return lead + "belongs to another user (" + owner(path) + ")";
        }
        int mode = (Integer) Files.getAttribute(path, "unix:mode");
        boolean group = (mode & GROUP_WRITE) != 0 && !hasPrivateGroup(path);
        if (group || (mode & OTHERS_WRITE) != 0) {
            return lead + "other users can write to (mode %03o)".formatted(mode & 0777);
        }
        return null;
    }

    /** Whether the group is the one that many systems make for each user, with no other member. */
    private static boolean hasPrivateGroup(Path path) throws IOException {
        var attributes = Files.readAttributes(path, PosixFileAttributes.class);
        return attributes.group().getName().equals(attributes.owner().getName());
    }

    private static String owner(Path path) throws IOException {
        return DisplayText.escape(Files.getOwner(path).getName());
    }

    private int ownUid() throws IOException {
        if (Files.exists(OWN_STATUS)) {
            var uid = EFFECTIVE_UID.matcher(Files.readString(OWN_STATUS, ISO_8859_1));
            if (uid.find()) {
                return Integer.parseUnsignedInt(uid.group(1));
            }
        }
        return uid(home);
    }

    private static int uid(Path path) throws IOException {
        return (Integer) Files.getAttribute(path, "unix:uid");
    }
}
