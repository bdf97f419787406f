package dev.patchbay.conformance.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.patchbay.testkit.ClientMessages;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The file {@code message-types.txt}, which has the types of all messages of all versions. */
final class MessageTypes {
    private static final String REMOVED = "removed";
    private static final Pattern DEFINITION =
            Pattern.compile("    (\\d{4}-\\d{2}-\\d{2})  (\\S.*)");
    private static final Pattern CONTINUATION = Pattern.compile(" {16}(\\S.*)");
    private static final List<Definition> ALL = read();

    /** What a type is from a version on. */
    private record Definition(String name, String version, String text) {}

    private MessageTypes() {}

    /** The types of a version in the notation of {@link SchemaNotation}, by their names. */
    static Map<String, String> of(String version) {
        if (Stream.concat(ClientMessages.LEGACY.stream(), Stream.of(ClientMessages.MODERN))
                .noneMatch(version::equals)) {
            throw new AssertionError("No types are known of version " + version);
        }
        var types = new TreeMap<String, String>();
        for (Definition definition : ALL) {
            if (definition.version().compareTo(version) <= 0) {
                types.put(definition.name(), definition.text());
            }
        }
        types.values().removeIf(REMOVED::equals);
        return types;
    }

    private static List<Definition> read() {
        var definitions = new ArrayList<Definition>();
        String name = "";
        for (String line : lines()) {
            Matcher definition = DEFINITION.matcher(line);
            Matcher continuation = CONTINUATION.matcher(line);
            if (definition.matches()) {
                definitions.add(new Definition(name, definition.group(1), definition.group(2)));
            } else if (continuation.matches()) {
                Definition begun = definitions.removeLast();
                String text = begun.text() + " " + continuation.group(1);
                definitions.add(new Definition(begun.name(), begun.version(), text));
            } else if (line.matches("\\w+")) {
                name = line;
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                throw new AssertionError("Not understood in message-types.txt: " + line);
            }
        }
        return definitions;
    }

    private static List<String> lines() {
        try (InputStream file = MessageTypes.class.getResourceAsStream("/mcp/message-types.txt")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
