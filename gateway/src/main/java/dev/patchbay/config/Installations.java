package dev.patchbay.config;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The hosts of this machine that have Patchbay in their lists. */
public final class Installations {
    /**
     * An entry for Patchbay in the file of a host.
     *
     * @param ownNames whether the entry chooses the style of names itself
     */
    public record Installation(Host host, Path file, boolean ownNames) {}

    private final HostFiles files;
    private final Path folder;

    public Installations(Surroundings surroundings) {
        files = new HostFiles(surroundings);
        folder = surroundings.workingDirectory();
    }

    /** Those that use a configuration file; those that name another one are left out. */
    public List<Installation> all(@Nullable Path config) {
        var found = new ArrayList<Installation>();
        for (Host host : Host.values()) {
            for (HostFile file : files.of(host)) {
                Json own = own(file);
                if (own != null && uses(own, config)) {
                    Json env = own.member("env");
                    boolean names = env != null && env.member(ConfigReader.NAMES_VARIABLE) != null;
                    found.add(new Installation(host, file.path(), names));
                }
            }
        }
        return found;
    }

    /** The entry in a file; null if there is none. */
    private static @Nullable Json own(HostFile file) {
        try {
            if (!Files.isRegularFile(file.path())) {
                return null;
            }
            Json own = new HostText(file, Files.readString(file.path())).own();
            return own != null && Installer.isSelf(own) ? own : null;
        } catch (IOException _) {
            return null;
        }
    }

    private boolean uses(Json entry, @Nullable Path config) {
        Json args = entry.member("args");
        List<String> words =
                args == null || !args.isArray()
                        ? List.of()
                        : args.elements().stream().filter(Json::isString).map(Json::text).toList();
        int option = words.indexOf("--config");
        if (option < 0 || option + 1 >= words.size() || config == null) {
            return true;
        }
        Path named = Surroundings.pathOf(words.get(option + 1));
        return named != null
                && folder.resolve(named).normalize().equals(folder.resolve(config).normalize());
    }
}
