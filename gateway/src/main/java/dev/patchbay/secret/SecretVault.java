package dev.patchbay.secret;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The user's secrets, by name. A new secret goes to the first store that works here: the keychain
 * of macOS, the desktop keyring, {@code pass}, and on a machine without any of them a file that
 * only the owner can read. An index remembers where each secret is.
 */
public final class SecretVault {
    public static final int VALUE_BYTES_MAX = 64 * 1024;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final String FILE_STORE = "file";

    private final SecretFile index;
    private final List<SecretStore> toolStores;

    /** A secret's name and the store that has it. */
    public record Location(String name, String store) {}

    private SecretVault(SecretFile index, List<SecretStore> toolStores) {
        this.index = index;
        this.toolStores = toolStores;
    }

    /**
     * The secrets of a user.
     *
     * @param configDirectory the user's configuration directory; it holds the index
     * @param environment the variables that the programs of the stores need
     */
    public static SecretVault open(
            Path configDirectory, Map<String, String> environment, boolean isMac) {
        var tools = new SecretToolProcess(environment);
        return new SecretVault(
                new SecretFile(configDirectory.resolve("secrets.json")),
                List.of(
                        new MacKeychainStore(tools, isMac),
                        new KeyringStore(tools),
                        new PassStore(tools)));
    }

    public static boolean isValidName(String name) {
        return NAME.matcher(name).matches();
    }

    /** The value of a secret, or null if there is no such secret. */
    public @Nullable String read(String name) throws IOException {
        SecretFile.Entry entry = index.read().get(name);
        if (entry == null) {
            return null;
        }
        return entry.store().equals(FILE_STORE) ? entry.value() : store(entry.store()).read(name);
    }

    /** All secrets, by name. Reads no values. */
    public List<Location> list() throws IOException {
        var found = new ArrayList<Location>();
        index.read().forEach((name, entry) -> found.add(new Location(name, entry.store())));
        return List.copyOf(found);
    }

    /**
     * Adds or replaces a secret.
     *
     * @param chosenStore the store to use, or null for the first that works
     * @return where it is now
     */
    public Location write(String name, String value, @Nullable String chosenStore)
            throws IOException {
        if (!isValidName(name)) {
            throw new IllegalArgumentException("Not a valid secret name");
        }
        String target = chosenStore == null ? firstAvailable() : chosenStore;
        index.update(
                entries -> {
                    SecretFile.Entry before = entries.get(name);
                    if (target.equals(FILE_STORE)) {
                        entries.put(name, SecretFile.Entry.inFile(value));
                    } else {
                        store(target).write(name, value);
                        entries.put(name, new SecretFile.Entry(target, null));
                    }
                    if (before != null && !before.store().equals(target)) {
                        removeFrom(before.store(), name);
                    }
                });
        return new Location(name, target);
    }

    /** Removes a secret; false if there is no such secret. */
    public boolean remove(String name) throws IOException {
        if (!index.read().containsKey(name)) {
            return false;
        }
        index.update(
                entries -> {
                    SecretFile.Entry entry = entries.remove(name);
                    if (entry != null) {
                        removeFrom(entry.store(), name);
                    }
                });
        return true;
    }

    /** The stores that work on this machine, the preferred one first. */
    public List<String> availableStores() {
        var ids = new ArrayList<String>();
        for (SecretStore store : toolStores) {
            if (store.isAvailable()) {
                ids.add(store.id());
            }
        }
        ids.add(FILE_STORE);
        return List.copyOf(ids);
    }

    private String firstAvailable() {
        return availableStores().getFirst();
    }

    private void removeFrom(String storeId, String name) throws IOException {
        if (!storeId.equals(FILE_STORE)) {
            store(storeId).remove(name);
        }
    }

    private SecretStore store(String id) throws IOException {
        for (SecretStore store : toolStores) {
            if (store.id().equals(id)) {
                return store;
            }
        }
        throw new IOException("Unknown secret store: " + id);
    }
}
