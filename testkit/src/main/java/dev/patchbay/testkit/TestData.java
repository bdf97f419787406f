package dev.patchbay.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The corpora that lie beside the project, not in it: {@code ../shared/testdata}, or the folder
 * named by the system property {@code patchbay.testdata}. A test uses them where they are and says
 * {@link #MISSING} where they are not.
 */
public final class TestData {
    public static final String MISSING =
            "The test data is not here: expected in ../shared/testdata beside the project,"
                    + " or in the folder named by -Dpatchbay.testdata";

    private static final Set<String> BLANK_FILES =
            Set.of("n_structure_no_data.json", "n_single_space.json");
    private static final Set<String> TOO_DEEP_FILES =
            Set.of("n_structure_100000_opening_arrays.json", "n_structure_open_array_object.json");

    private TestData() {}

    /** What RFC 8259 says about a file of JSONTestSuite. */
    public enum Verdict {
        VALID,
        INVALID,
        IMPLEMENTATION_DEFINED
    }

    /** One file of JSONTestSuite and what an endpoint must say to it as a message. */
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

    /** The folder of the test data, if it is there. */
    public static Optional<Path> root() {
        String named = System.getProperty("patchbay.testdata", "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named)).filter(Files::isDirectory);
        }
        Path here = Path.of("").toAbsolutePath();
        for (Path up = here; up != null; up = up.getParent()) {
            Path candidate = up.resolve("shared").resolve("testdata");
            if (Files.isDirectory(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** A folder or file of the test data, if it is there. */
    public static Optional<Path> find(String path) {
        return root().map(root -> root.resolve(path)).filter(Files::exists);
    }

    /** JSON texts of our own, and those of JSONTestSuite where the suite is there. */
    public static List<JsonSuiteFile> jsonSuiteFiles() {
        var samples = new ArrayList<>(JsonSamples.all());
        Optional<Path> folder = find("JSONTestSuite/test_parsing");
        if (folder.isEmpty()) {
            return samples;
        }
        try (Stream<Path> files = Files.list(folder.get())) {
            files.filter(file -> file.toString().endsWith(".json"))
                    .sorted()
                    .map(TestData::read)
                    .forEach(samples::add);
            return samples;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonSuiteFile read(Path file) {
        try {
            String name = String.valueOf(file.getFileName());
            return new JsonSuiteFile(name, Files.readAllBytes(file), verdict(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Verdict verdict(String name) {
        return switch (name.charAt(0)) {
            case 'y' -> Verdict.VALID;
            case 'n' -> Verdict.INVALID;
            default -> Verdict.IMPLEMENTATION_DEFINED;
        };
    }
}
