package dev.patchbay.registry;

import dev.patchbay.json.Json;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Where servers are looked up: a registry or a file with entries of one. */
public sealed interface RegistrySource permits HttpRegistry, RegistryMirror {
    /**
     * The latest versions of the servers whose names or descriptions have all of the words.
     *
     * @param max how many at most
     * @return the entries as the registry sends them
     */
    List<Json> search(List<String> words, int max) throws RegistryException, InterruptedException;

    /**
     * The entry of a server.
     *
     * @param version the version; null for the latest
     */
    RegistryEntry find(String name, @Nullable String version)
            throws RegistryException, InterruptedException;
}
