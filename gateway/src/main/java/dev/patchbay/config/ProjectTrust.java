package dev.patchbay.config;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;

/** Which entries of a project's configuration file the user has approved. */
public interface ProjectTrust {
    /** Reads the current approvals. */
    Approvals load();

    /** The file that holds the approvals. */
    Path approvalsFile();

    /** The approvals at one moment. */
    interface Approvals {
        /**
         * Says why an entry must not be used.
         *
         * @param key the key of the server in the file
         * @param fingerprint the hash of its entry, see {@code LaunchFingerprint}
         * @return what is wrong and what to do, as a sentence without its stop; null if approved
         */
        @Nullable String refusal(String key, String fingerprint);
    }
}
