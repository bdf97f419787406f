package dev.patchbay.stdio;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.Map;

/**
 * What the processes of servers inherit: variables and the working directory.
 *
 * @param variables all variables; a process gets only those that every program may see
 * @param folder where a process runs whose entry names no directory; null for our own
 */
public record ParentEnvironment(Map<String, String> variables, @Nullable Path folder) {
    public ParentEnvironment {
        variables = Map.copyOf(variables);
    }

    /** The environment of this process. */
    public static ParentEnvironment ofThisProcess() {
        return new ParentEnvironment(System.getenv(), null);
    }

    /** The directory of an entry; null for our own. */
    public @Nullable Path resolveFolder(@Nullable String named) {
        if (named == null) {
            return folder;
        }
        return folder == null ? Path.of(named) : folder.resolve(named);
    }
}
