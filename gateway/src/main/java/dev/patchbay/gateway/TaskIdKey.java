package dev.patchbay.gateway;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.files.PrivateFile;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * The secret key of task ids, shared by the gateways that use the same state folder. If it cannot
 * be stored, it lives as long as the process.
 */
final class TaskIdKey {
    private static final int BYTES = 32;

    private TaskIdKey() {}

    static byte[] load(@Nullable Path stateDir) {
        if (stateDir == null) {
            return generate();
        }
        try {
            return PrivateFile.loadOrCreate(
                    stateDir.resolve("task-key"), key -> key.length == BYTES, TaskIdKey::generate);
        } catch (IOException e) {
            System.getLogger(TaskIdKey.class.getName())
                    .log(WARNING, "Tasks will not survive a restart: {0}", e.toString());
            return generate();
        }
    }

    private static byte[] generate() {
        byte[] key = new byte[BYTES];
        new SecureRandom().nextBytes(key);
        return key;
    }
}
