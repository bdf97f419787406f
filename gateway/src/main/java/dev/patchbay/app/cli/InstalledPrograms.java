package dev.patchbay.app.cli;

import dev.patchbay.config.Environment;
import dev.patchbay.config.Environment.Platform;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The programs that the user can start by name. */
record InstalledPrograms(Environment environment) {
    boolean isInstalled(String program) {
        List<String> endings =
                environment.platform() == Platform.WINDOWS
                        ? List.of(".exe", ".cmd", ".bat")
                        : List.of("");
        String path = environment.variables().getOrDefault("PATH", "");
        for (String folder : path.split(File.pathSeparator, -1)) {
            Path parent = folder.isEmpty() ? null : Environment.parsePath(folder);
            for (String ending : endings) {
                if (parent != null && Files.isExecutable(parent.resolve(program + ending))) {
                    return true;
                }
            }
        }
        return false;
    }
}
