package dev.patchbay.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.patchbay.app.wiring.ClientTokenStore.Grant;
import dev.patchbay.http.server.AccessScope;
import dev.patchbay.http.server.Principal;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Finding 12: several named tokens with scopes, of which only hashes are stored. */
class ClientTokenStoreTest {
    private static final Instant START = Instant.parse("2026-11-18T00:00:00Z");

    private static final Grant MCP = new Grant(Set.of(AccessScope.MCP), null, null);

    @TempDir Path folder;

    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private ClientTokenStore store;
    private StoredTokenAuthenticator authenticator;

    @BeforeEach
    void setUp() {
        store = new ClientTokenStore(folder.resolve("config").resolve("tokens.json"));
        authenticator = new StoredTokenAuthenticator("owner-token", store, now::get);
    }

    @Test
    void storesOnlyHashInFileOfTheUserAlone() throws IOException {
        String value = store.add("ci", MCP, START);
        assertThat(value).matches("pb_[0-9a-f]{64}");
        assertThat(Files.readString(store.file()))
                .contains("\"ci\"", ClientTokenStore.hash(value))
                .doesNotContain(value)
                .doesNotContain(value.substring(3));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(store.file())))
                .isEqualTo("rw-------");
    }

    @Test
    void tokenHasItsNameAndScopes() throws IOException {
        var scopes = Set.of(AccessScope.MCP, AccessScope.METRICS);
        String value = store.add("ci", new Grant(scopes, null, null), START);
        assertThat(authenticator.authenticate(value))
                .isEqualTo(new Principal("ci", Set.of(AccessScope.MCP, AccessScope.METRICS)));
        assertThat(authenticator.authenticate("owner-token"))
                .isEqualTo(Principal.withAllScopes("owner"));
        assertThat(authenticator.authenticate("pb_guess")).isNull();
        assertThat(authenticator.authenticate(ClientTokenStore.hash(value))).isNull();
        assertThat(authenticator.authenticate(null)).isNull();
    }

    @Test
    void revokedTokenIsRefusedAtOnce() throws IOException {
        String value = store.add("ci", MCP, START);
        assertThat(authenticator.authenticate(value)).isNotNull();
        assertThat(store.revoke("ci")).isTrue();
        assertThat(authenticator.authenticate(value)).isNull();
        assertThat(store.revoke("ci")).isFalse();
        String next = store.add("ci", MCP, START);
        assertThat(authenticator.authenticate(next)).isNotNull();
        assertThat(authenticator.authenticate(value)).isNull();
    }

    @Test
    void tokenExpires() throws IOException {
        Instant end = START.plus(Duration.ofDays(30));
        String value = store.add("ci", new Grant(Set.of(AccessScope.MCP), null, end), START);
        now.set(end.minusSeconds(1));
        assertThat(authenticator.authenticate(value)).isNotNull();
        now.set(end);
        assertThat(authenticator.authenticate(value)).isNull();
    }

    @Test
    void tokenWithViewOpensNothingButTheEndpoint() throws IOException {
        var wide = Set.of(AccessScope.MCP, AccessScope.ADMIN);
        String value = store.add("ci", new Grant(wide, "work", null), START);
        var principal = new Principal("ci", Set.of(AccessScope.MCP), "work");
        assertThat(authenticator.authenticate(value)).isEqualTo(principal);
        assertThat(authenticator.currentPrincipals()).accepts(principal);
        assertThat(authenticator.currentPrincipals())
                .rejects(new Principal("ci", Set.of(AccessScope.MCP)));
    }

    @Test
    void nameIsUsedOnce() throws IOException {
        assertThat(store.add("ci", MCP, START)).isNotNull();
        assertThat(store.add("ci", MCP, START)).isNull();
        assertThat(store.read()).hasSize(1);
    }

    @Test
    void unreadableFileLetsOnlyTheOwnerIn() throws IOException {
        String value = store.add("ci", MCP, START);
        Files.writeString(store.file(), "{\"tokens\": [{\"name\": 7}]}");
        assertThat(authenticator.authenticate(value)).isNull();
        assertThat(authenticator.authenticate("owner-token")).isNotNull();
        Files.writeString(store.file(), "not json");
        assertThatThrownBy(store::read).isInstanceOf(IOException.class);
        assertThat(authenticator.authenticate(value)).isNull();
    }
}
