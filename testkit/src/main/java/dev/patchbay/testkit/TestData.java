package dev.patchbay.testkit;

import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** JSON texts for tests of JSON readers: right ones and wrong ones. */
public final class TestData {
    /** How many {@link #jsonSuiteFiles()} there are. */
    public static final int JSON_SUITE_FILES = 910;

    private static final Set<String> BLANK_FILES =
            Set.of("n_structure_no_data.json", "n_single_space.json");
    private static final Set<String> TOO_DEEP_FILES =
            Set.of("n_structure_100000_opening_arrays.json", "n_structure_open_array_object.json");

    private TestData() {}

    /** What RFC 8259 says about a text. */
    public enum Verdict {
        VALID,
        INVALID,
        IMPLEMENTATION_DEFINED
    }

    /** One text and what an endpoint must respond to it as a message. */
    public static final class JsonSuiteFile {
        private final String name;
        private final byte[] bytes;
        private final Verdict verdict;

        JsonSuiteFile(String name, byte[] bytes, Verdict verdict) {
            this.name = name;
            this.bytes = bytes;
            this.verdict = verdict;
        }

        public String name() {
            return name;
        }

        /** All bytes of the file. */
        public byte[] bytes() {
            return bytes;
        }

        /** What RFC 8259 says. */
        public Verdict verdict() {
            return verdict;
        }

        /** A line of nothing but blanks is ignored on stdio. */
        public boolean isBlank() {
            return BLANK_FILES.contains(name);
        }

        /** Whether the file has a line feed before its end: then it is several lines on stdio. */
        public boolean hasSeveralLines() {
            for (int i = 0; i + 1 < bytes.length; i++) {
                if (bytes[i] == '\n') {
                    return true;
                }
            }
            return false;
        }

        /** The bytes without the line feed that some files end with. */
        public byte[] line() {
            boolean ends = bytes.length > 0 && bytes[bytes.length - 1] == '\n';
            return ends ? Arrays.copyOf(bytes, bytes.length - 1) : bytes;
        }

        /**
         * The codes an endpoint may answer with: none of these files is a message, so valid JSON is
         * -32600 and anything else -32700. What is also too deep may be refused for that first.
         */
        public Set<Integer> allowedCodes() {
            if (TOO_DEEP_FILES.contains(name)) {
                return Set.of(-32600, -32700);
            }
            return switch (verdict) {
                case VALID -> Set.of(-32600);
                case INVALID -> Set.of(-32700);
                case IMPLEMENTATION_DEFINED -> Set.of(-32600, -32700);
            };
        }

        /** Whether RFC 8259 allows it and we do not: member names must be unique. */
        public boolean hasDuplicateNames() {
            return name.startsWith("y_object_duplicated_key");
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** The JSON texts of our own. */
    public static List<JsonSuiteFile> jsonSuiteFiles() {
        return JsonSamples.all();
    }

    /** A file of JSONTestSuite, whose name begins with the verdict. */
    public static JsonSuiteFile jsonSuiteFile(String name, byte[] bytes) {
        return new JsonSuiteFile(name, bytes, verdict(name));
    }

    private static Verdict verdict(String name) {
        return switch (name.charAt(0)) {
            case 'y' -> Verdict.VALID;
            case 'n' -> Verdict.INVALID;
            default -> Verdict.IMPLEMENTATION_DEFINED;
        };
    }
}
