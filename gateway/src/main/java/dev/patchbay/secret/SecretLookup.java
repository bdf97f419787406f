package dev.patchbay.secret;

import dev.patchbay.server.SecretReference;
import dev.patchbay.server.SecretResolver;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Reads the secrets of servers from the user's store and from files. It remembers in memory what it
 * read, so that texts that are shown can be searched for it.
 */
public final class SecretLookup implements SecretResolver {
    private static final int VALUES_MAX = 1_000;

    private final Path home;
    private final Supplier<SecretVault> vault;
    private final SequencedSet<String> valuesRead = new LinkedHashSet<>();

    /**
     * @param home what {@code ~} stands for in paths
     * @param vault opened when a secret is read by its name
     */
    public SecretLookup(Path home, Supplier<SecretVault> vault) {
        this.home = home;
        this.vault = vault;
    }

    @Override
    public @Nullable String read(SecretReference reference) throws IOException {
        String value =
                switch (reference) {
                    case SecretReference.Named(String name) -> vault.get().read(name);
                    case SecretReference.InFile(String path) -> readFile(path);
                };
        if (value != null) {
            remember(value);
        }
        return value;
    }

    /** The secrets that were read so far. */
    public Set<String> valuesRead() {
        synchronized (valuesRead) {
            return Set.copyOf(valuesRead);
        }
    }

    private void remember(String value) {
        synchronized (valuesRead) {
            if (valuesRead.add(value) && valuesRead.size() > VALUES_MAX) {
                valuesRead.removeFirst();
            }
        }
    }

    private @Nullable String readFile(String path) throws IOException {
        Path file = path.startsWith("~/") ? home.resolve(path.substring(2)) : Path.of(path);
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(SecretVault.VALUE_BYTES_MAX + 1);
        } catch (NoSuchFileException _) {
            return null;
        }
        if (bytes.length > SecretVault.VALUE_BYTES_MAX) {
            throw new IOException(
                    "the file is larger than %d bytes".formatted(SecretVault.VALUE_BYTES_MAX));
        }
        return decode(bytes);
    }

    /** The text of a value, without the line break that editors and {@code echo} put at its end. */
    public static String decode(byte[] bytes) throws IOException {
        try {
            var decoder = StandardCharsets.UTF_8.newDecoder();
            String text = decoder.decode(ByteBuffer.wrap(bytes)).toString();
            String cut = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
            return cut.endsWith("\r") ? cut.substring(0, cut.length() - 1) : cut;
        } catch (CharacterCodingException _) {
            throw new IOException("it is not UTF-8 text");
        }
    }
}
