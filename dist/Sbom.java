import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The bill of materials of the packages, in CycloneDX 1.6. What is in the folder is listed, not
 * what was asked for; a jar whose licence is not told in LICENCES.md is an error.
 */
final class Sbom {
    private static final Pattern JAR = Pattern.compile("(.+?)-([0-9][^/]*)\\.jar");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| ([^ |]+) \\| ([^ |:]+):([^ |:]+) \\| ([^|]+) \\|$");

    private static final Pattern INNER_ROW =
            Pattern.compile(
                    "(?m)^\\| (\\S+\\.jar) \\| ([^ |:]+):([^ |:]+) \\| ([0-9]\\S*) \\| (\\S+)"
                            + " \\|$");

    /** The second product; it has the version of the first. */
    private static final String REPL_JAR = "patchbay-repl.jar";

    /** Where a jar comes from and what may be done with it. */
    private record Origin(String group, String artifact, String licence) {}

    private Sbom() {}

    static void write(Path file, Path image, String version) throws IOException {
        Path licences = image.resolve("share", "doc", "patchbay", "LICENCES.md");
        Map<String, Origin> origins = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(licences));
        while (row.find()) {
            origins.put(row.group(1), new Origin(row.group(2), row.group(3), row.group(4)));
        }
        var components = new ArrayList<String>();
        List<Path> jars;
        try (Stream<Path> files = Files.list(image.resolve("lib", "app"))) {
            jars = files.filter(it -> it.toString().endsWith(".jar")).sorted().toList();
        }
        for (Path jar : jars) {
            String name = jar.getFileName().toString();
            if (name.equals(REPL_JAR)) {
                components.add(
                        component(jar, version, new Origin("dev.patchbay", "repl", "Apache-2.0")));
            } else if (!name.equals("patchbay.jar")) {
                components.add(component(jar, origins));
            }
        }
        Matcher inner = INNER_ROW.matcher(Files.readString(licences));
        while (inner.find()) {
            Path jar = image.resolve("lib", "app", inner.group(1));
            if (!jars.contains(jar)) {
                throw new IOException("dist/LICENCES.md tells what is inside of " + jar);
            }
            components.add(inner(inner, jar));
        }
        components.add(runTime(image.resolve("lib", "runtime", "release")));
        Files.createDirectories(file.getParent());
        Files.writeString(file, document(image, version, components));
    }

    private static String document(Path image, String version, List<String> components)
            throws IOException {
        return """
        {
          "bomFormat": "CycloneDX",
          "specVersion": "1.6",
          "version": 1,
          "metadata": {
            "component": {
              "type": "application",
              "bom-ref": "pkg:maven/dev.patchbay/gateway@%s",
              "group": "dev.patchbay",
              "name": "patchbay",
              "version": "%s",
              "purl": "pkg:maven/dev.patchbay/gateway@%s",
              "hashes": [{"alg": "SHA-256", "content": "%s"}],
              "licenses": [{"license": {"id": "Apache-2.0"}}]
            }
          },
          "components": [
        %s
          ]
        }
        """
                .formatted(
                        version,
                        version,
                        version,
                        hash(image.resolve("lib", "app", "patchbay.jar")),
                        String.join(",\n", components));
    }

    private static String component(Path jar, Map<String, Origin> origins) throws IOException {
        Matcher name = JAR.matcher(jar.getFileName().toString());
        Origin origin = name.matches() ? origins.get(name.group(1)) : null;
        if (origin == null) {
            throw new IOException("dist/LICENCES.md has no row for " + jar.getFileName());
        }
        return component(jar, name.group(2), origin);
    }

    private static String component(Path jar, String version, Origin origin) throws IOException {
        String purl = "pkg:maven/%s/%s@%s".formatted(origin.group, origin.artifact, version);
        return """
        {
          "type": "library",
          "bom-ref": "%s",
          "group": "%s",
          "name": "%s",
          "version": "%s",
          "purl": "%s",
          "hashes": [{"alg": "SHA-256", "content": "%s"}],
          "licenses": [{"license": {"id": "%s"}}]
        }\
        """
                .formatted(
                        purl,
                        origin.group,
                        origin.artifact,
                        version,
                        purl,
                        hash(jar),
                        origin.licence)
                .indent(4)
                .stripTrailing();
    }

    /** A part that has no file of its own: its hash is that of the jar in which it is. */
    private static String inner(Matcher row, Path jar) throws IOException {
        String version = row.group(4);
        String purl = "pkg:maven/%s/%s@%s".formatted(row.group(2), row.group(3), version);
        return """
        {
          "type": "library",
          "bom-ref": "%s",
          "group": "%s",
          "name": "%s",
          "version": "%s",
          "description": "inside of %s",
          "purl": "%s",
          "hashes": [{"alg": "SHA-256", "content": "%s"}],
          "licenses": [{"license": {"id": "%s"}}]
        }\
        """
                .formatted(
                        purl,
                        row.group(2),
                        row.group(3),
                        version,
                        row.group(1),
                        purl,
                        hash(jar),
                        row.group(5))
                .indent(4)
                .stripTrailing();
    }

    private static String runTime(Path release) throws IOException {
        Map<String, String> facts = new TreeMap<>();
        for (String line : Files.readAllLines(release, UTF_8)) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                facts.put(line.substring(0, equals), line.substring(equals + 1).replace("\"", ""));
            }
        }
        String version = facts.getOrDefault("JAVA_RUNTIME_VERSION", facts.get("JAVA_VERSION"));
        return """
        {
          "type": "platform",
          "bom-ref": "openjdk@%s",
          "supplier": {"name": "%s"},
          "name": "OpenJDK",
          "version": "%s",
          "licenses": [{"expression": "GPL-2.0-only WITH Classpath-exception-2.0"}]
        }\
        """
                .formatted(version, facts.getOrDefault("IMPLEMENTOR", "unknown"), version)
                .indent(4)
                .stripTrailing();
    }

    private static String hash(Path file) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(Files.readAllBytes(file)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
