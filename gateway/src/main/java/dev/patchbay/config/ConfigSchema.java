package dev.patchbay.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The JSON Schema of the configuration file, for editors and for the guide. */
public final class ConfigSchema {
    public static final String NAME = "patchbay.schema.json";

    private ConfigSchema() {}

    /** The schema, in the dialect 2020-12. */
    public static String text() {
        try (InputStream in = ConfigSchema.class.getResourceAsStream(NAME)) {
            return new String(
                    Objects.requireNonNull(in, NAME).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
