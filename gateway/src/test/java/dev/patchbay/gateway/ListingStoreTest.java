package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.catalog.Listing;
import dev.patchbay.catalog.RawLists;
import dev.patchbay.json.Json;
import dev.patchbay.server.ServerId;
import dev.patchbay.server.ServerSpec;
import dev.patchbay.server.ServerSpec.Options;
import dev.patchbay.server.ServerSpec.Transport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

@DisabledOnOs(OS.WINDOWS)
class ListingStoreTest {
    private static final ServerSpec FILES =
            new ServerSpec(
                    new ServerId("files"),
                    new Transport.Stdio("files", List.of(), Map.of(), null),
                    Options.DEFAULTS);

    @TempDir Path stateDir;

    private static Listing listing() {
        Json tool = Json.of("{\"name\":\"read\",\"inputSchema\":{\"type\":\"object\"}}");
        return Listing.of(
                FILES.id(),
                new RawLists(List.of(tool), List.of(), List.of(), List.of(), List.of()));
    }

    private Path stored() throws IOException {
        try (Stream<Path> files = Files.list(stateDir.resolve("lists"))) {
            return files.toList().getFirst();
        }
    }

    @Test
    void keepsListsForTheOwnerOnly() throws IOException {
        var store = new ListingStore(stateDir);
        store.save(FILES, listing());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(stored())))
                .isEqualTo("rw-------");
        assertThat(store.load(FILES).listing()).isNotNull();
    }

    /** The folder may be shared by mistake, and the names in it can be computed by anyone. */
    @Test
    void plantedLinksAreNotFollowed() throws IOException {
        Path victim = Files.writeString(stateDir.resolve("victim"), "untouched");
        var store = new ListingStore(stateDir);
        store.save(FILES, listing());
        Path file = stored();
        Files.delete(file);
        String key = file.getFileName().toString().replace(".json", "");
        Files.createSymbolicLink(file, victim);
        Files.createSymbolicLink(
                file.resolveSibling(key + "-" + ProcessHandle.current().pid() + ".tmp"), victim);
        store.save(FILES, listing());
        assertThat(victim).hasContent("untouched");
        assertThat(store.load(FILES).listing()).isNotNull();
        store.saveFailure(FILES);
        assertThat(victim).hasContent("untouched");
    }
}
