package dev.patchbay.trust;

import dev.patchbay.config.ProjectTrust;
import dev.patchbay.config.ShellText;
import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/** A project's configuration file, and what the user has approved of it. */
public final class ApprovedProject implements ProjectTrust {
    private final Path file;
    private final Path home;
    private final TrustStore store;

    /**
     * @param file the file of the project
     * @param home the home directory of the user
     */
    public ApprovedProject(Path file, Path home, TrustStore store) {
        this.file = file.toAbsolutePath().normalize();
        this.home = home;
        this.store = store;
    }

    /** Returns why the file must not be approved at all; null if it may be. */
    public @Nullable String problem() {
        String problem = new ProjectFileCheck(file, home).problem();
        return problem == null ? null : DisplayText.escape(file.toString()) + " " + problem;
    }

    /** Returns the approved fingerprints by server key, whether the file is safe or not. */
    public Map<String, String> approved() throws IOException {
        return store.approved(realFile());
    }

    /** Approves servers in addition to those that are approved. */
    public void approve(Map<String, String> fingerprints) throws IOException {
        store.approve(realFile(), fingerprints);
    }

    /** Approves these servers and no others. */
    public void approveOnly(Map<String, String> fingerprints) throws IOException {
        store.approveOnly(realFile(), fingerprints);
    }

    /** Withdraws every approval; false if there was none. */
    public boolean revoke() throws IOException {
        return store.revoke(realFile());
    }

    @Override
    public Path approvalsFile() {
        return store.file();
    }

    @Override
    public Approvals load() {
        String problem = problem();
        if (problem != null) {
            return (_, _) -> problem + ". Fix that, then run: " + command();
        }
        try {
            Map<String, String> approved = approved();
            return (key, fingerprint) -> refusal(approved.get(key), fingerprint);
        } catch (IOException e) {
            return (_, _) -> "cannot read " + DisplayText.escape(store.file().toString());
        }
    }

    private @Nullable String refusal(@Nullable String approved, String fingerprint) {
        if (fingerprint.equals(approved)) {
            return null;
        }
        String what = approved == null ? "is not approved" : "changed after it was approved";
        return "its entry in %s %s. Review it with: %s"
                .formatted(DisplayText.escape(file.toString()), what, command());
    }

    private String command() {
        return "patchbay trust " + DisplayText.escape(ShellText.quote(file.toString()));
    }

    /** The real path if there is such a file, else the path as it is. */
    private Path realFile() {
        try {
            return file.toRealPath();
        } catch (IOException _) {
            return file;
        }
    }
}
