package dev.patchbay.app.wiring;

import dev.patchbay.config.ConfigLocator;
import dev.patchbay.config.ConfigReadResult;
import dev.patchbay.config.Environment;
import dev.patchbay.config.edit.ConfigEntry;
import dev.patchbay.config.read.ConfigReader;
import dev.patchbay.config.read.LaunchFingerprint;
import dev.patchbay.trust.ApprovedProject;
import dev.patchbay.trust.TrustStore;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The configuration file of a command, and how it is read. A file that the user chose is used
 * completely; a project's file only as far as the user has approved it.
 */
public final class ConfigSource {
    private final @Nullable Path file;
    private final ConfigReader reader;
    private final boolean isProject;

    private ConfigSource(
            Environment environment, @Nullable Path file, @Nullable ApprovedProject project) {
        this.file = file;
        this.reader = new ConfigReader(environment.variables(), project);
        this.isProject = project != null;
    }

    /**
     * Finds the file.
     *
     * @param chosen the file that the user named; null to search for one
     */
    public static ConfigSource find(AppContext context, @Nullable Path chosen) {
        ConfiguredGateway lent = context.lent();
        if (lent != null) {
            return lent.source();
        }
        var locator = new ConfigLocator(context.environment());
        Path file = locator.find(chosen).orElse(null);
        ApprovedProject project =
                file != null && locator.isProjectFile(file, chosen) ? project(context, file) : null;
        return new ConfigSource(context.environment(), file, project);
    }

    /** Finds the file, which must exist. */
    public static ConfigSource require(AppContext context, @Nullable Path chosen) {
        ConfigSource source = find(context, chosen);
        if (source.file == null) {
            String candidates =
                    new ConfigLocator(context.environment())
                            .candidates().stream()
                                    .map(Path::toString)
                                    .collect(Collectors.joining(", no "));
            throw new CommandFailedException(
                    ExitCode.WRONG_USAGE,
                    "There is no configuration yet: no "
                            + candidates
                            + ". Add a server: patchbay add ID -- COMMAND");
        }
        return source;
    }

    /** A project file and its approvals. */
    public static ApprovedProject project(AppContext context, Path file) {
        Environment environment = context.environment();
        return new ApprovedProject(file, environment.home(), trustStore(context));
    }

    /** The approvals of the user, always in the default state directory. */
    public static TrustStore trustStore(AppContext context) {
        return new TrustStore(StateDirectory.locate(context.environment()));
    }

    /** The file; empty if there is none and the default configuration is used. */
    public Optional<Path> file() {
        return Optional.ofNullable(file);
    }

    /** Whether the file belongs to a project and was not chosen by the user. */
    boolean isProject() {
        return isProject;
    }

    public ConfigReader reader() {
        return reader;
    }

    /** Reads the file, which must exist. */
    public ConfigReadResult read() {
        return reader.read(file().orElseThrow());
    }

    /**
     * Approves entries that a command of the user has just written, if the file may belong to a
     * project. Other entries keep their status.
     *
     * @param template the file that the new one was copied from, whose approvals are copied too;
     *     null for none
     */
    public static void approveWritten(
            AppContext context, Path file, List<ConfigEntry> entries, @Nullable Path template)
            throws IOException {
        if (!new ConfigLocator(context.environment()).mayBeProjectFile(file)) {
            return;
        }
        Map<String, String> fingerprints = new LinkedHashMap<>();
        if (template != null) {
            fingerprints.putAll(project(context, template).approved());
        }
        for (ConfigEntry entry : entries) {
            fingerprints.put(entry.key(), LaunchFingerprint.of(entry.key(), entry.definition()));
        }
        ApprovedProject project = project(context, file);
        String problem = project.problem();
        if (problem == null) {
            project.approve(fingerprints);
        } else {
            context.terminal().printMessage("patchbay: Not trusted: " + problem + ".");
        }
    }
}
