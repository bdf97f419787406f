package dev.patchbay.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The locks of this package and of the catalog. Work whose size a server decides must not run under
 * a lock that several servers share. Whoever adds a lock states here why it is safe.
 */
class SharedLocksTest {
    private static final Path SOURCES = Path.of("src", "main", "java", "dev", "patchbay");

    /** Matches a monitor or a lock that is taken, not a comment about one. */
    private static final Pattern LOCK =
            Pattern.compile("^[^*/\"]*(\\bsynchronized\\b|\\.lock\\(\\))", Pattern.MULTILINE);

    private static final Map<String, String> REASONS =
            Map.ofEntries(
                    Map.entry("CallObservation", "adds an observer; calls do not use it"),
                    Map.entry("CatalogPublisher", "the budget bounds the lists of all servers"),
                    Map.entry("ClientLogLevels", "one level per client"),
                    Map.entry("ConnectionChoice", "one lock per server, one field"),
                    Map.entry("GatewayViews", "one map of the views in the configuration"),
                    Map.entry("InstanceTable", "one lock per server, bounded connections"),
                    Map.entry("LegacyEraSupport", "one lock per server, a few fields"),
                    Map.entry("ListAnnouncements", "one lock per server, three names"),
                    Map.entry("ListingBudget", "one number per server"),
                    Map.entry("ListingCache", "one lock per server"),
                    Map.entry("ListingWriter", "the lock of the one writer; readers do not use it"),
                    Map.entry("ServerInstance", "one lock per connection, a few fields"),
                    Map.entry("ServerRegistry", "one map operation"),
                    Map.entry("ServerSubscriptions", "one lock per server, bounded URIs"),
                    Map.entry("TaskIdCodec", "creates the key once"),
                    Map.entry("TaskRegistry", "map operations with bounded ids"),
                    Map.entry("ViewCatalog", "the budget bounds the lists that it compares"));

    @Test
    void everyLockHasAReason() throws IOException {
        var found = new TreeSet<String>();
        for (String name : new String[] {"gateway", "catalog"}) {
            try (Stream<Path> files = Files.list(SOURCES.resolve(name))) {
                for (Path file : files.toList()) {
                    if (LOCK.matcher(Files.readString(file)).find()) {
                        found.add(file.getFileName().toString().replace(".java", ""));
                    }
                }
            }
        }
        assertThat(found).isEqualTo(new TreeSet<>(REASONS.keySet()));
    }
}
