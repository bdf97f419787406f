package dev.patchbay.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The well-known files and folders that hold credentials. */
final class CredentialPaths {
    /** Below the home folder. */
    private static final List<String> IN_HOME =
            List.of(
                    // keys and certificates
                    ".ssh",
                    ".gnupg",
                    ".pki",
                    ".password-store",
                    ".local/share/keyrings",
                    ".local/share/kwalletd",
                    ".config/op",
                    ".config/1Password",
                    ".config/Bitwarden",
                    ".config/sops",
                    ".config/age",
                    ".vault-token",
                    // clouds and clusters
                    ".aws",
                    ".azure",
                    ".boto",
                    ".s3cfg",
                    ".oci",
                    ".kube",
                    ".config/gcloud",
                    ".config/doctl",
                    ".config/hcloud",
                    ".config/rclone",
                    ".config/containers/auth.json",
                    ".docker/config.json",
                    ".docker/run",
                    ".docker/desktop",
                    ".colima",
                    ".lima",
                    ".rd",
                    ".orbstack",
                    ".terraform.d/credentials.tfrc.json",
                    ".databrickscfg",
                    ".snowflake",
                    ".fly",
                    // source code and packages
                    ".netrc",
                    ".git-credentials",
                    ".config/git/credentials",
                    ".config/gh",
                    ".config/glab-cli",
                    ".config/hub",
                    ".pypirc",
                    ".gem/credentials",
                    ".cargo/credentials",
                    ".cargo/credentials.toml",
                    ".m2/settings-security.xml",
                    // databases
                    ".pgpass",
                    ".my.cnf",
                    ".mylogin.cnf",
                    // browsers and mail
                    ".mozilla",
                    ".thunderbird",
                    ".config/google-chrome",
                    ".config/chromium",
                    ".config/BraveSoftware",
                    ".config/microsoft-edge",
                    ".config/vivaldi",
                    ".config/opera",
                    "snap/firefox",
                    "snap/chromium",
                    ".var/app",
                    // hosts of MCP, whose files hold the secrets of other servers
                    ".claude.json",
                    ".claude/.credentials.json",
                    ".codex/auth.json",
                    ".codex/config.toml",
                    ".gemini/oauth_creds.json",
                    ".gemini/settings.json",
                    ".cursor/mcp.json",
                    ".config/Claude",
                    ".config/github-copilot",
                    // what was typed
                    ".bash_history",
                    ".zsh_history",
                    ".local/share/fish/fish_history");

    /** Below the home folder, hidden only if they contain one of the words. */
    private static final Map<String, List<String>> IF_THEY_CONTAIN =
            Map.of(
                    ".npmrc", List.of("_auth", "_password"),
                    ".yarnrc.yml", List.of("npmauth"),
                    ".config/pip/pip.conf", List.of("@"),
                    ".m2/settings.xml", List.of("<password>", "<passphrase>"),
                    ".gradle/gradle.properties", List.of("password", "token", "secret"));

    /** Readable for root. */
    private static final List<String> IN_SYSTEM =
            List.of("/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers");

    private static final List<String> FOLDERS_IN_SYSTEM =
            List.of("/etc/sudoers.d", "/etc/ssl/private", "/etc/NetworkManager/system-connections");

    private static final Path HOST_KEYS = Path.of("/etc/ssh");
    private static final int BYTES_SEARCHED_MAX = 1024 * 1024;

    private CredentialPaths() {}

    /** Those that exist, as real paths. */
    static List<Path> existing(List<Path> homes) {
        var found = new ArrayList<Path>();
        for (Path home : homes) {
            IN_HOME.forEach(name -> found.add(home.resolve(name)));
            IF_THEY_CONTAIN.forEach(
                    (name, words) -> {
                        Path file = home.resolve(name);
                        if (containsOne(file, words)) {
                            found.add(file);
                        }
                    });
        }
        Stream.concat(IN_SYSTEM.stream(), FOLDERS_IN_SYSTEM.stream())
                .map(Path::of)
                .forEach(found::add);
        found.addAll(hostKeys());
        return realPaths(found);
    }

    private static List<Path> hostKeys() {
        try (Stream<Path> files = Files.list(HOST_KEYS)) {
            return files.filter(
                            file -> {
                                String name = String.valueOf(file.getFileName());
                                return name.startsWith("ssh_host_") && name.endsWith("_key");
                            })
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static boolean containsOne(Path file, List<String> words) {
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > BYTES_SEARCHED_MAX) {
                return Files.exists(file);
            }
            String text =
                    new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                            .toLowerCase(Locale.ROOT);
            return words.stream().anyMatch(text::contains);
        } catch (IOException _) {
            return true; // the program could not read it either, or it just changed
        }
    }

    /** The real paths of those that exist. */
    static List<Path> realPaths(List<Path> paths) {
        Set<Path> real = new LinkedHashSet<>();
        for (Path path : paths) {
            try {
                real.add(path.toRealPath());
            } catch (IOException _) {
                // It does not exist.
            }
        }
        return List.copyOf(real);
    }
}
