package dev.patchbay.testkit;

import java.util.Optional;

/**
 * A JSON reader that accepts what RFC 8259 defines and nothing else: no byte order mark, no bytes
 * outside UTF-8, no duplicate names, no text after the value. It is written independently of the
 * gateway's reader, so that each can find the other's faults.
 */
public final class StrictJson {
    /** Deeper values are refused: nothing a test reads needs more. */
    public static final int DEPTH_MAX = 100_000;

    private StrictJson() {}

    /**
     * Reads one value that fills these bytes.
     *
     * @throws StrictJsonException if they are not strict JSON
     */
    public static JsonTree parse(byte[] utf8) {
        return parse(
                Utf8Text.decode(utf8)
                        .orElseThrow(
                                () ->
                                        new StrictJsonException(
                                                StrictJsonException.Kind.UTF8, "Not valid UTF-8")));
    }

    /**
     * Reads one value that fills this text.
     *
     * @throws StrictJsonException if it is not strict JSON
     */
    public static JsonTree parse(String text) {
        var parser = new StrictJsonParser(text, DEPTH_MAX);
        JsonTree tree = parser.parseDocument();
        if (parser.depthMax() > DEPTH_MAX) {
            throw new StrictJsonException(
                    StrictJsonException.Kind.TOO_DEEP, "Deeper than " + DEPTH_MAX);
        }
        if (parser.duplicateName().isPresent()) {
            String name = Utf8Text.abbreviate(parser.duplicateName().get());
            throw new StrictJsonException(
                    StrictJsonException.Kind.DUPLICATE_NAME, "Member " + name + " stands twice");
        }
        return tree;
    }

    /** The value in these bytes, or nothing if they are not strict JSON. */
    public static Optional<JsonTree> tryParse(byte[] utf8) {
        try {
            return Optional.of(parse(utf8));
        } catch (StrictJsonException e) {
            return Optional.empty();
        }
    }

    /** The value reached by member names, exactly as it is spelled in the text. */
    public static Optional<String> rawValue(byte[] utf8, String... path) {
        Optional<String> here = Utf8Text.decode(utf8);
        for (String name : path) {
            here = here.flatMap(text -> new StrictJsonParser(text, DEPTH_MAX).rawMember(name));
        }
        return here;
    }

    /** The string as a JSON literal, quotes included. */
    public static String quote(String value) {
        return JsonTreeWriter.quote(value);
    }
}
