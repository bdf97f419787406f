package dev.patchbay.repl;

import dev.patchbay.repl.maven.CentralSearch;
import dev.patchbay.repl.maven.LocalRepository;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What the REPL uses of the machine it runs on.
 *
 * @param savedSessions the folder for saved sessions
 */
record ReplEnvironment(
        MavenResolver maven,
        LocalRepository repository,
        CentralSearch central,
        Path savedSessions) {
    /** The variable with the address of the search of Maven Central. */
    static final String SEARCH_URL = "PATCHBAY_REPL_MAVEN_SEARCH_URL";

    /** The variable with the folder of the local Maven repository. */
    static final String REPOSITORY = "PATCHBAY_REPL_MAVEN_REPOSITORY";

    /** The variable with the folder for saved sessions. */
    static final String SAVED_SESSIONS = "PATCHBAY_REPL_SESSIONS";

    private static final String SEARCH_URL_DEFAULT = "https://search.maven.org";
    private static final Duration SEARCH_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration REPOSITORY_TIME_MAX = Duration.ofSeconds(30);

    static ReplEnvironment of(Map<String, String> variables, Path home) {
        String url = variables.getOrDefault(SEARCH_URL, "");
        String repository = variables.getOrDefault(REPOSITORY, "");
        return new ReplEnvironment(
                MavenResolver.fromEnvironment(),
                LocalRepository.ofUser(repository, home, REPOSITORY_TIME_MAX),
                new CentralSearch(
                        URI.create(url.isEmpty() ? SEARCH_URL_DEFAULT : url), SEARCH_TIMEOUT),
                savedSessions(variables, home));
    }

    /** Of this process. */
    static ReplEnvironment ofProcess() {
        return of(System.getenv(), Path.of(System.getProperty("user.home")));
    }

    private static Path savedSessions(Map<String, String> variables, Path home) {
        String own = variables.getOrDefault(SAVED_SESSIONS, "");
        if (!own.isEmpty()) {
            return Path.of(own);
        }
        return stateFolder(variables, home).resolve("patchbay").resolve("repl-sessions");
    }

    private static Path stateFolder(Map<String, String> variables, Path home) {
        if (BuildTool.isWindows()) {
            Path local = Path.of(variables.getOrDefault("LOCALAPPDATA", ""));
            return local.isAbsolute() ? local : home.resolve("AppData").resolve("Local");
        }
        Path state = Path.of(variables.getOrDefault("XDG_STATE_HOME", ""));
        return state.isAbsolute() ? state : home.resolve(".local").resolve("state");
    }
}
