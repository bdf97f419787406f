package dev.patchbay.sandbox;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a sandbox must know of this machine and of the gateway.
 *
 * @param variables the environment of the gateway
 * @param home the user's home folder
 * @param stateDir where the gateway keeps its files; null if it keeps none
 * @param ownFiles more files and folders of the gateway, which no server may see
 */
record SandboxHost(
        Map<String, String> variables, Path home, @Nullable Path stateDir, List<Path> ownFiles) {
    SandboxHost {
        variables = Map.copyOf(variables);
        ownFiles = List.copyOf(ownFiles);
    }

    /** This machine, for a gateway with these files. */
    static SandboxHost of(
            Map<String, String> variables, @Nullable Path stateDir, List<Path> ownFiles) {
        String home = variables.getOrDefault("HOME", System.getProperty("user.home"));
        return new SandboxHost(variables, Path.of(home).toAbsolutePath(), stateDir, ownFiles);
    }

    /** The home folder by environment, and by the system's list of users. */
    List<Path> homes() {
        Path listed = Path.of(System.getProperty("user.home")).toAbsolutePath();
        return listed.equals(home) ? List.of(home) : List.of(home, listed);
    }

    /** The folders of the gateway itself, which hold tokens and the secrets of all servers. */
    List<Path> gatewayPaths() {
        var found = new ArrayList<>(ownFiles);
        if (stateDir != null) {
            found.add(stateDir);
        }
        for (Path each : homes()) {
            found.add(folder("XDG_CONFIG_HOME", each.resolve(".config")).resolve("patchbay"));
            found.add(folder("XDG_STATE_HOME", each.resolve(".local/state")).resolve("patchbay"));
            found.add(each.resolve(".config/patchbay"));
            found.add(each.resolve(".local/state/patchbay"));
        }
        return found;
    }

    /** The folder that a variable names, or another one. */
    Path folder(String variable, Path other) {
        String named = variables.getOrDefault(variable, "");
        return named.startsWith("/") ? Path.of(named) : other;
    }
}
