package dev.patchbay.app.wiring;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;
import dev.patchbay.config.hosts.AdoptionJournal;

import java.nio.file.Path;

/** Opens the record of adoptions of the user who runs the program. */
public final class AdoptionJournals {
    private AdoptionJournals() {}

    public static AdoptionJournal open(Environment environment) {
        boolean isMac = environment.platform() == Platform.MACOS;
        // macOS may delete what is in its state directory, and an undo must always be possible.
        Path folder = isMac ? environment.configDirectory() : StateDirectory.locate(environment);
        return new AdoptionJournal(folder);
    }
}
