package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;
import dev.patchbay.testkit.TestData;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tests of JSON Schema in the format of the official suite: our own, and the official ones. */
final class JsonSchemaTestSuite implements ExternalSchemas {
    private static final String REMOTE_PREFIX = "http://localhost:1234/";

    private final Path root;

    /** One value, and whether the schema accepts it. */
    record SuiteCase(String name, Json schema, Json data, boolean valid) {}

    private JsonSchemaTestSuite(Path root) {
        this.root = root;
    }

    /** Our own tests. */
    static JsonSchemaTestSuite own() {
        return new JsonSchemaTestSuite(Path.of("src/test/resources/dev/patchbay/schema/suite"));
    }

    /** The official suite, where it is beside the project. */
    static Optional<JsonSchemaTestSuite> findOfficial() {
        return TestData.find("JSON-Schema-Test-Suite").map(JsonSchemaTestSuite::new);
    }

    /** The files of the required tests of a draft. */
    List<Path> files(String draft) {
        try (Stream<Path> files = Files.list(root.resolve("tests").resolve(draft))) {
            return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<SuiteCase> cases(Path file) {
        var cases = new ArrayList<SuiteCase>();
        for (Json group : read(file).elements()) {
            Json schema = group.member("schema");
            for (Json test : group.member("tests").elements()) {
                String name =
                        group.memberText("description") + ": " + test.memberText("description");
                boolean valid = test.member("valid").isTrue();
                cases.add(new SuiteCase(name, schema, test.member("data"), valid));
            }
        }
        return cases;
    }

    /** The documents that the suite would have served, and the schemas of schemas. */
    @Override
    public @Nullable Json find(String uri) {
        if (uri.startsWith(REMOTE_PREFIX)) {
            Path file = root.resolve("remotes").resolve(uri.substring(REMOTE_PREFIX.length()));
            return Files.isRegularFile(file) ? read(file) : null;
        }
        return MetaSchemas.INSTANCE.find(uri);
    }

    private static Json read(Path file) {
        try {
            return Json.parse(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JsonException e) {
            throw new IllegalStateException(file.toString(), e);
        }
    }
}
