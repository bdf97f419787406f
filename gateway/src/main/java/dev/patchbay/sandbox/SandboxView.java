package dev.patchbay.sandbox;

import dev.patchbay.server.SandboxPolicy.Endpoint;

import java.nio.file.Path;
import java.util.List;

/**
 * What a confined process sees and may change. Everything else is not there or cannot be opened.
 *
 * @param base readable parts of the system; the root folder for all of it
 * @param scratch folders that the process gets empty and for itself, as far as possible
 * @param hidden not readable, also below readable and writable places
 * @param places readable and writable places. One inside a hidden path is visible nevertheless
 * @param home the home folder
 * @param folder the working directory
 * @param network what can be connected to
 */
record SandboxView(
        List<Path> base,
        List<Path> scratch,
        List<Path> hidden,
        List<Place> places,
        Path home,
        Path folder,
        Network network) {
    /**
     * A file or a folder with all that is below it.
     *
     * @param path as the program knows it
     * @param real without links
     */
    record Place(Path path, Path real, boolean isWritable) {}

    /** What a confined process can connect to. */
    sealed interface Network {
        /** Everything. */
        record Open() implements Network {}

        /** Nothing. */
        record Closed() implements Network {}

        /** Some hosts, through a proxy. */
        record Proxied(List<Endpoint> allowed) implements Network {
            public Proxied {
                allowed = List.copyOf(allowed);
            }
        }
    }

    /** Whether the process sees all of the system that is not hidden. */
    boolean isWholeSystem() {
        return base.contains(Path.of("/"));
    }

    /** Whether a path is hidden itself or inside something hidden. */
    boolean isHidden(Path path) {
        return hidden.stream().anyMatch(path::startsWith);
    }
}
