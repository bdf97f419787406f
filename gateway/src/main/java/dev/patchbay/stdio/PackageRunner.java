package dev.patchbay.stdio;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Recognizes the programs that download a package or an image before they run it. The first start
 * of a server with one of them can take minutes, and they need the network settings of the user.
 */
public final class PackageRunner {
    /** Programs that always do so. */
    private static final Set<String> RUNNERS = Set.of("npx", "bunx", "uvx", "pipx");

    /** Programs that do so with one of these as the first argument that is not an option. */
    private static final Map<String, Set<String>> RUN_COMMANDS =
            Map.of(
                    "npm", Set.of("exec", "x"),
                    "pnpm", Set.of("dlx", "exec"),
                    "yarn", Set.of("dlx"),
                    "bun", Set.of("x"),
                    "uv", Set.of("tool", "run"),
                    "docker", Set.of("run", "compose"),
                    "podman", Set.of("run"));

    private static final Set<String> NETWORK_VARIABLES =
            Set.of(
                    "http_proxy",
                    "https_proxy",
                    "no_proxy",
                    "all_proxy",
                    "ssl_cert_file",
                    "ssl_cert_dir",
                    "node_extra_ca_certs",
                    "requests_ca_bundle",
                    "docker_host",
                    "docker_context");

    private static final String NPM_PREFIX = "npm_config_";
    private static final List<String> SECRET_WORDS = List.of("auth", "token", "password", "key");

    private PackageRunner() {}

    /** The name of the package runner that a command starts; empty if it starts none. */
    public static String nameOf(String command, List<String> args) {
        String name = programName(command);
        if (RUNNERS.contains(name)) {
            return name;
        }
        Set<String> runs = RUN_COMMANDS.getOrDefault(name, Set.of());
        for (String arg : args) {
            if (!arg.startsWith("-")) {
                return runs.contains(arg) ? name : "";
            }
        }
        return "";
    }

    private static String programName(String command) {
        String name =
                command.substring(
                        Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
        String small = name.toLowerCase(Locale.ROOT);
        for (String ending : List.of(".cmd", ".exe", ".ps1")) {
            if (small.endsWith(ending)) {
                return small.substring(0, small.length() - ending.length());
            }
        }
        return small;
    }

    /** Whether a package runner gets a variable of ours, because it cannot download without. */
    static boolean needsVariable(String variable) {
        String name = variable.toLowerCase(Locale.ROOT);
        return NETWORK_VARIABLES.contains(name)
                || (name.startsWith(NPM_PREFIX) && SECRET_WORDS.stream().noneMatch(name::contains));
    }
}
