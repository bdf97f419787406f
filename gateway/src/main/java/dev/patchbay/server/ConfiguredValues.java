package dev.patchbay.server;

import dev.patchbay.server.DeferredText.Part;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a server is given by name, environment variables or headers, with references to secrets. */
public record ConfiguredValues(Map<String, DeferredText> byName) {
    public static final ConfiguredValues NONE = new ConfiguredValues(Map.of());

    /**
     * The values as a server gets them. They exist only while it is opened.
     *
     * @param mask hides the secrets among them in texts
     */
    public record Resolved(Map<String, String> values, SecretMask mask) {
        public Resolved {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        }

        @Override
        public String toString() {
            return values.keySet().toString();
        }
    }

    public ConfiguredValues {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
    }

    public static ConfiguredValues of(Map<String, String> literals) {
        if (literals.isEmpty()) {
            return NONE;
        }
        var values = new LinkedHashMap<String, DeferredText>();
        literals.forEach((name, text) -> values.put(name, DeferredText.literal(text)));
        return new ConfiguredValues(values);
    }

    public Set<String> names() {
        return byName.keySet();
    }

    /** Whether there is a value of that name, in whatever case. */
    public boolean hasHeader(String name) {
        return byName.keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    /** What is written in the configuration itself: each value without its references. */
    public Map<String, String> literals() {
        var texts = new LinkedHashMap<String, String>();
        byName.forEach((name, value) -> texts.put(name, value.literalText()));
        return texts;
    }

    /** Reads the secrets and puts them in their places. */
    public Resolved resolve(SecretResolver secrets) throws SecretMissingException {
        var values = new LinkedHashMap<String, String>();
        var read = new ArrayList<String>();
        for (var entry : byName.entrySet()) {
            values.put(entry.getKey(), resolve(entry.getValue(), secrets, read));
        }
        return new Resolved(values, read.isEmpty() ? SecretMask.NONE : SecretMask.of(read));
    }

    private static String resolve(DeferredText value, SecretResolver secrets, List<String> read)
            throws SecretMissingException {
        if (value.isLiteral()) {
            return value.literalText();
        }
        var text = new StringBuilder();
        for (Part part : value.parts()) {
            switch (part) {
                case Part.Literal(String literal) -> text.append(literal);
                case Part.Reference(SecretReference reference) -> {
                    String secret = readSecret(reference, secrets);
                    read.add(secret);
                    text.append(secret);
                }
            }
        }
        return text.toString();
    }

    private static String readSecret(SecretReference reference, SecretResolver secrets)
            throws SecretMissingException {
        try {
            String secret = secrets.read(reference);
            if (secret == null) {
                throw SecretMissingException.notFound(reference);
            }
            return secret;
        } catch (SecretMissingException e) {
            throw e;
        } catch (IOException e) {
            throw SecretMissingException.unreadable(reference, e);
        }
    }

    /** The names, and the references as written; never a literal. */
    @Override
    public String toString() {
        return byName.toString();
    }
}
