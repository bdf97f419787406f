package dev.patchbay.app.wiring;

import static java.lang.System.Logger.Level.WARNING;

import dev.patchbay.app.wiring.ClientTokenStore.StoredToken;
import dev.patchbay.http.server.Principal;
import dev.patchbay.http.server.TokenAuthenticator;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Accepts the owner's token and the named tokens of a store. Changes of the store take effect at
 * once.
 */
final class StoredTokenAuthenticator implements TokenAuthenticator {
    private static final System.Logger log =
            System.getLogger(StoredTokenAuthenticator.class.getName());

    /** Attributes that change when a file is replaced. */
    private record FileStamp(long modifiedMillis, long size, @Nullable Object key) {
        static FileStamp of(Path file) {
            try {
                var found = Files.readAttributes(file, BasicFileAttributes.class);
                return new FileStamp(
                        found.lastModifiedTime().toMillis(), found.size(), found.fileKey());
            } catch (IOException _) {
                return new FileStamp(0, -1, null);
            }
        }
    }

    /** The tokens of one version of the file, by hash. */
    private record Loaded(FileStamp stamp, Map<String, StoredToken> byHash) {}

    /** The principal of the token that opens everything. */
    private static final String OWNER = "owner";

    private final TokenAuthenticator owner;
    private final ClientTokenStore store;
    private final InstantSource clock;
    private volatile @Nullable Loaded loaded;

    StoredTokenAuthenticator(String ownerToken, ClientTokenStore store, InstantSource clock) {
        this.owner = TokenAuthenticator.ofTokens(Map.of(OWNER, ownerToken));
        this.store = store;
        this.clock = clock;
    }

    @Override
    public @Nullable Principal authenticate(@Nullable String token) {
        Principal principal = owner.authenticate(token);
        if (principal != null || token == null) {
            return principal;
        }
        StoredToken found = current().byHash.get(ClientTokenStore.hash(token));
        return found == null || found.isExpired(clock.instant()) ? null : found.principal();
    }

    @Override
    public Predicate<Principal> currentPrincipals() {
        Set<Principal> valid = new HashSet<>();
        Instant now = clock.instant();
        for (StoredToken token : current().byHash.values()) {
            if (!token.isExpired(now)) {
                valid.add(token.principal());
            }
        }
        return principal -> principal.name().equals(OWNER) || valid.contains(principal);
    }

    private Loaded current() {
        FileStamp stamp = FileStamp.of(store.file());
        Loaded known = loaded;
        if (known != null && known.stamp.equals(stamp)) {
            return known;
        }
        Loaded fresh = new Loaded(stamp, load());
        loaded = fresh;
        return fresh;
    }

    /** The tokens; none if the file cannot be read, so that only the owner has access. */
    private Map<String, StoredToken> load() {
        Map<String, StoredToken> byHash = new HashMap<>();
        try {
            store.read().forEach(token -> byHash.put(token.hash(), token));
        } catch (IOException | RuntimeException e) {
            log.log(WARNING, "The tokens could not be read: {0}", e.getMessage());
        }
        return byHash;
    }
}
