package dev.patchbay.app.wiring;

import dev.patchbay.files.PrivateFile;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;
import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.json.JsonWriter;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The named tokens of {@code patchbay serve}, in a file that only the user can read. The file holds
 * a hash of each token, never the token.
 */
public final class ClientTokenStore {
    private static final int RANDOM_BYTES = 32;
    private static final int FILE_BYTES_MAX = 1024 * 1024;
    private static final int TOKENS_MAX = 1_000;

    /**
     * What a token gives access to, and until when.
     *
     * @param view the only view it gives access to; null for no such restriction
     * @param expiresAt null if it does not expire
     */
    public record Grant(
            Set<AccessScope> scopes, @Nullable String view, @Nullable Instant expiresAt) {
        public Grant {
            scopes = Set.copyOf(scopes);
        }
    }

    /** A token without its value. */
    public record StoredToken(String name, String hash, Grant grant, Instant createdAt) {
        public @Nullable String view() {
            return grant.view;
        }

        public @Nullable Instant expiresAt() {
            return grant.expiresAt;
        }

        /** A token with a view has no other scope than {@code mcp}, whatever the file says. */
        Principal principal() {
            return grant.view == null
                    ? new Principal(name, grant.scopes)
                    : new Principal(name, onlyMcp(grant.scopes), grant.view);
        }

        private static Set<AccessScope> onlyMcp(Set<AccessScope> scopes) {
            return scopes.contains(AccessScope.MCP) ? Set.of(AccessScope.MCP) : Set.of();
        }

        public boolean isExpired(Instant now) {
            return grant.expiresAt != null && !now.isBefore(grant.expiresAt);
        }

        /** The scopes by name, in a fixed order. */
        public List<String> scopeNames() {
            return new TreeSet<>(grant.scopes).stream().map(AccessScope::text).toList();
        }
    }

    private final Path file;

    ClientTokenStore(Path file) {
        this.file = file;
    }

    public static ClientTokenStore of(AppContext context) {
        return new ClientTokenStore(context.environment().configDirectory().resolve("tokens.json"));
    }

    Path file() {
        return file;
    }

    /** All tokens, in the order in which they were added. */
    public List<StoredToken> read() throws IOException {
        byte[] content;
        try (var in = Files.newInputStream(file)) {
            content = in.readNBytes(FILE_BYTES_MAX);
        } catch (NoSuchFileException _) {
            return List.of();
        }
        try {
            return parse(Json.parse(content));
        } catch (JsonException _) {
            throw new IOException(file + " is not valid; remove it and add the tokens again");
        }
    }

    /** Adds a token and returns its value; null if the name is taken. */
    public @Nullable String add(String name, Grant grant, Instant now) throws IOException {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        String value = "pb_" + HexFormat.of().formatHex(random);
        return update(
                tokens -> {
                    if (tokens.stream().anyMatch(token -> token.name.equals(name))) {
                        return null;
                    }
                    tokens.add(new StoredToken(name, hash(value), grant, now));
                    return value;
                });
    }

    /** Removes a token; returns whether it existed. */
    public boolean revoke(String name) throws IOException {
        return update(tokens -> tokens.removeIf(token -> token.name.equals(name)) ? name : null)
                != null;
    }

    private interface Change {
        /** Changes the tokens; returns null to leave the file unchanged. */
        @Nullable String apply(List<StoredToken> tokens);
    }

    private @Nullable String update(Change change) throws IOException {
        PrivateFile.createFolder(Objects.requireNonNull(file.getParent(), "no folder"));
        Path lock = file.resolveSibling(file.getFileName() + ".lock");
        try (FileChannel channel = PrivateFile.open(lock);
                var _ = channel.lock()) {
            List<StoredToken> tokens = new ArrayList<>(read());
            String result = change.apply(tokens);
            if (tokens.size() > TOKENS_MAX) {
                throw new IOException("There are more than " + TOKENS_MAX + " tokens");
            }
            if (result != null) {
                PrivateFile.replace(file, write(tokens).toBytes());
            }
            return result;
        }
    }

    private static Json write(List<StoredToken> tokens) {
        var writer = new JsonWriter().beginObject().name("tokens").beginArray();
        for (StoredToken token : tokens) {
            writer.beginObject().member("name", token.name).member("sha256", token.hash);
            writer.name("scopes").beginArray();
            token.scopeNames().forEach(writer::string);
            writer.endArray().member("createdAt", token.createdAt.toString());
            if (token.view() != null) {
                writer.member("view", token.view());
            }
            if (token.expiresAt() != null) {
                writer.member("expiresAt", token.expiresAt().toString());
            }
            writer.endObject();
        }
        return writer.endArray().endObject().toJson();
    }

    private static List<StoredToken> parse(Json json) throws IOException {
        Json array = json.member("tokens");
        var tokens = new ArrayList<StoredToken>();
        if (array == null || !array.isArray()) {
            return tokens;
        }
        for (Json entry : array.elements()) {
            tokens.add(parseToken(entry));
        }
        return tokens;
    }

    private static StoredToken parseToken(Json entry) throws IOException {
        String name = entry.memberText("name");
        String hash = entry.memberText("sha256");
        String created = entry.memberText("createdAt");
        String expires = entry.memberText("expiresAt");
        Json scopeArray = entry.member("scopes");
        if (name == null || hash == null || created == null || scopeArray == null) {
            throw new IOException("A stored token is incomplete");
        }
        var scopes = new TreeSet<AccessScope>();
        for (Json scope : scopeArray.elements()) {
            AccessScope.of(scope.text()).ifPresent(scopes::add);
        }
        Instant expiresAt = expires == null ? null : Instant.parse(expires);
        var grant = new Grant(scopes, entry.memberText("view"), expiresAt);
        return new StoredToken(name, hash, grant, Instant.parse(created));
    }

    /** The hash of a token's value. The value is random, so that no salt is needed. */
    static String hash(String value) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
