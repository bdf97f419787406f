package dev.patchbay.schema;

import dev.patchbay.json.Json;
import dev.patchbay.json.JsonException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Tests of JSON Schema in the format of the official suite: our own, and the official ones. */
final class JsonSchemaTestSuite implements ExternalSchemas {
    private static final Path OWN = Path.of("src/test/resources/dev/patchbay/schema/suite/tests");

    /** A resource of vertx-json-schema's test artifact: the official suite in one document. */
    private static final String OFFICIAL = "/test-suite-tck.json";

    private final List<SuiteFile> files;
    private final Map<String, Json> remotes;

    /** The tests of one keyword. */
    record SuiteFile(String folder, String name, List<SuiteCase> cases) {}

    /** One value, and whether the schema accepts it. */
    record SuiteCase(String name, Json schema, Json data, boolean valid) {}

    private JsonSchemaTestSuite(List<SuiteFile> files, Map<String, Json> remotes) {
        this.files = files;
        this.remotes = remotes;
    }

    /** Our own tests. */
    static JsonSchemaTestSuite own() {
        try (Stream<Path> paths = Files.walk(OWN)) {
            List<SuiteFile> files =
                    paths.filter(path -> path.toString().endsWith(".json"))
                            .sorted()
                            .map(JsonSchemaTestSuite::readOwn)
                            .toList();
            return new JsonSchemaTestSuite(files, Map.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SuiteFile readOwn(Path path) {
        try {
            String folder = OWN.relativize(path).getParent().toString();
            String name = path.getFileName().toString().replace(".json", "");
            return new SuiteFile(folder, name, cases(parse(Files.readAllBytes(path))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The official suite. */
    static JsonSchemaTestSuite official() {
        Json document = readOfficial();
        var files = new ArrayList<SuiteFile>();
        for (Json suite : document.member("suites").elements()) {
            String path = suite.memberText("name");
            int slash = path.lastIndexOf('/');
            files.add(
                    new SuiteFile(
                            path.substring(0, slash),
                            path.substring(slash + 1),
                            cases(suite.member("value"))));
        }
        var remotes = new HashMap<String, Json>();
        for (Json remote : document.member("remotes").elements()) {
            remotes.put(remote.memberText("name"), remote.member("value"));
        }
        return new JsonSchemaTestSuite(files, remotes);
    }

    private static Json readOfficial() {
        try (InputStream resource = JsonSchemaTestSuite.class.getResourceAsStream(OFFICIAL)) {
            return parse(Objects.requireNonNull(resource, OFFICIAL).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Json parse(byte[] text) {
        try {
            return Json.parse(text);
        } catch (JsonException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<SuiteCase> cases(Json groups) {
        var cases = new ArrayList<SuiteCase>();
        for (Json group : groups.elements()) {
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

    /** The tests in a folder, for example {@code draft7} or {@code draft7/optional}. */
    List<SuiteFile> files(String folder) {
        return files.stream().filter(file -> file.folder().equals(folder)).toList();
    }

    /** The documents that the suite would have served, and the schemas of schemas. */
    @Override
    public @Nullable Json find(String uri) {
        Json remote = remotes.get(uri);
        return remote == null ? MetaSchemas.INSTANCE.find(uri) : remote;
    }
}
