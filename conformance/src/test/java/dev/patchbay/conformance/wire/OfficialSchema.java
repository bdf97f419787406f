package dev.patchbay.conformance.wire;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import dev.patchbay.testkit.TestData;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The official schema of one protocol version, by the names of its definitions. */
final class OfficialSchema {
    /** Takes whatever the gateway may pass on: the schema is checked here, not the size. */
    private static final JsonMapper MAPPER =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNameLength(Integer.MAX_VALUE)
                                                    .maxStringLength(Integer.MAX_VALUE)
                                                    .maxNestingDepth(1_000)
                                                    .maxNumberLength(1_000)
                                                    .build())
                                    .build())
                    .build();

    private static final Map<String, Optional<OfficialSchema>> BY_VERSION =
            new ConcurrentHashMap<>();

    private final ObjectNode document;
    private final String definitionsKey;
    private final SchemaRegistry registry;
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    private OfficialSchema(ObjectNode document) {
        this.document = document;
        boolean draft7 = document.has("definitions");
        this.definitionsKey = draft7 ? "definitions" : "$defs";
        this.registry =
                SchemaRegistry.withDefaultDialect(
                        draft7 ? SpecificationVersion.DRAFT_7 : SpecificationVersion.DRAFT_2020_12);
    }

    /** The schema of a version, where the test data is. */
    static Optional<OfficialSchema> of(String version) {
        return BY_VERSION.computeIfAbsent(
                version,
                _ ->
                        TestData.find("mcp-schema/" + version + "/schema.json")
                                .map(OfficialSchema::read));
    }

    private static OfficialSchema read(Path file) {
        return new OfficialSchema((ObjectNode) MAPPER.readTree(file.toFile()));
    }

    boolean defines(String name) {
        return document.get(definitionsKey).has(name);
    }

    /** The first of these names that the version defines. */
    String definition(String... names) {
        for (String name : names) {
            if (defines(name)) {
                return name;
            }
        }
        throw new AssertionError("The schema defines none of " + List.of(names));
    }

    /** What is wrong with a value by a definition; nothing is the aim. */
    List<String> violations(JsonNode value, String definition) {
        if (!defines(definition)) {
            return List.of("The version has no " + definition + ": " + abbreviate(value));
        }
        Schema schema = compiled.computeIfAbsent(definition, this::compile);
        return schema.validate(value).stream()
                .map(error -> definition + ": " + error + " in " + abbreviate(value))
                .toList();
    }

    private Schema compile(String definition) {
        ObjectNode rooted = document.deepCopy();
        rooted.put("$ref", "#/" + definitionsKey + "/" + definition);
        return registry.getSchema(rooted);
    }

    static JsonNode parse(byte[] line) {
        return MAPPER.readTree(line);
    }

    static String abbreviate(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    }
}
