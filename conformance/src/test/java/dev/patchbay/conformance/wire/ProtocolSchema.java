package dev.patchbay.conformance.wire;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The types of the messages of one protocol version, as a JSON Schema. */
public final class ProtocolSchema {
    /**
     * The first version whose official schema is of JSON Schema 2020-12; the others are draft 7.
     */
    private static final String FIRST_OF_2020_12 = "2025-11-25";

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

    private static final Map<String, ProtocolSchema> BY_VERSION = new ConcurrentHashMap<>();

    private final ObjectNode types;
    private final SchemaRegistry registry;
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    private ProtocolSchema(String version) {
        this.types = MAPPER.createObjectNode();
        MessageTypes.of(version)
                .forEach((name, type) -> types.set(name, SchemaNotation.toJsonSchema(type)));
        this.registry =
                SchemaRegistry.withDefaultDialect(
                        version.compareTo(FIRST_OF_2020_12) < 0
                                ? SpecificationVersion.DRAFT_7
                                : SpecificationVersion.DRAFT_2020_12);
    }

    /** The schema of a version; fails if the version is not known. */
    public static ProtocolSchema of(String version) {
        return BY_VERSION.computeIfAbsent(version, ProtocolSchema::new);
    }

    /** Every type of the version, by its name. */
    public ObjectNode types() {
        return types;
    }

    boolean defines(String name) {
        return types.has(name);
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
        ObjectNode document = MAPPER.createObjectNode();
        document.put("$ref", SchemaNotation.REFERENCE + definition);
        document.set("$defs", types);
        return registry.getSchema(document);
    }

    static JsonNode parse(byte[] line) {
        return MAPPER.readTree(line);
    }

    static String abbreviate(@Nullable Object value) {
        String text = String.valueOf(value);
        return text.length() > 300 ? text.substring(0, 300) + "…" : text;
    }
}
