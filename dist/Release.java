import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes what a release publishes besides its packages: {@code java dist/Release.java PACKAGES OUT
 * VERSION TIME}. The folder PACKAGES has the archives of all systems. Written are the checksums,
 * the npm package, the Homebrew formula, the Scoop manifest and an apt repository; what lacks an
 * archive is left out and named.
 */
final class Release {
    private static final String REPOSITORY = "https://github.com/patchbay/patchbay";
    private static final Pattern PLACE =
            Pattern.compile("@(VERSION|URL|SHA256)(?::([a-z0-9-]+))?@");

    private final Path packages;
    private final Path out;
    private final String version;
    private final Instant time;
    private final Path templates;

    /** The digests of all packages, by the names of their files. */
    private final Map<String, String> digests = new TreeMap<>();

    private Release(Path packages, Path out, String version, Instant time) {
        this.packages = packages.toAbsolutePath().normalize();
        this.out = out.toAbsolutePath().normalize();
        this.version = version;
        this.time = time;
        String source = System.getProperty("jdk.launcher.sourcefile", "dist/Release.java");
        this.templates = Path.of(source).toAbsolutePath().resolveSibling("release");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length != 4) {
            System.err.println("usage: java dist/Release.java PACKAGES OUT VERSION TIME");
            System.exit(2);
        }
        new Release(Path.of(args[0]), Path.of(args[1]), args[2], Instant.parse(args[3])).write();
    }

    private void write() throws IOException, InterruptedException {
        var sums = new StringBuilder();
        for (Path file : packageFiles()) {
            String name = file.getFileName().toString();
            digests.put(name, digest(Files.readAllBytes(file)));
            sums.append(digests.get(name)).append("  ").append(name).append('\n');
        }
        write("SHA256SUMS", sums.toString());
        writeFilled("patchbay.rb", "homebrew/patchbay.rb");
        writeFilled("scoop.json", "scoop/patchbay.json");
        writeNpm();
        writeApt();
    }

    private List<Path> packageFiles() throws IOException {
        try (Stream<Path> all = Files.list(packages)) {
            return all.filter(Files::isRegularFile)
                    .filter(it -> it.toString().matches(".*\\.(tar\\.gz|deb|mcpb)"))
                    .sorted()
                    .toList();
        }
    }

    private static String archive(String version, String platform) {
        return "patchbay-" + version + "-" + platform + ".tar.gz";
    }

    private String url() {
        return REPOSITORY + "/releases/download/v" + version;
    }

    /** Writes a template with version, URLs and digests filled in, if all archives are there. */
    private void writeFilled(String template, String name) throws IOException {
        String text = Files.readString(templates.resolve(template));
        var filled = new StringBuilder();
        Matcher place = PLACE.matcher(text);
        while (place.find()) {
            String file = place.group(2) == null ? "" : archive(version, place.group(2));
            String digest = digests.get(file);
            if (!file.isEmpty() && digest == null) {
                System.err.println("Not written: " + name + ", because there is no " + file);
                return;
            }
            String value =
                    switch (place.group(1)) {
                        case "VERSION" -> version;
                        case "URL" -> url() + "/" + file;
                        default -> String.valueOf(digest);
                    };
            place.appendReplacement(filled, Matcher.quoteReplacement(value));
        }
        write(name, place.appendTail(filled).toString());
    }

    /** The package has the digests of the archives and downloads the one that it needs. */
    private void writeNpm() throws IOException {
        writeFilled("npm/package.json", "npm/package.json");
        for (String file : List.of("patchbay.js", "README.md")) {
            write("npm/" + file, Files.readString(templates.resolve("npm").resolve(file)));
        }
        var archives = new StringJoiner(",\n", "{\n", "\n  }");
        Pattern name =
                Pattern.compile(
                        Pattern.quote(archive(version, "@")).replace("@", "\\E([a-z0-9-]+)\\Q"));
        digests.forEach(
                (file, digest) -> {
                    Matcher platform = name.matcher(file);
                    if (platform.matches()) {
                        archives.add(
                                "    \"%s\": {\"file\": \"%s\", \"sha256\": \"%s\"}"
                                        .formatted(platform.group(1), file, digest));
                    }
                });
        write(
                "npm/archives.json",
                "{\n  \"version\": \"%s\",\n  \"url\": \"%s\",\n  \"archives\": %s\n}\n"
                        .formatted(version, url(), archives));
    }

    /** An apt repository as a folder of files, which any web server can serve. */
    private void writeApt() throws IOException, InterruptedException {
        List<Path> debs =
                packageFiles().stream().filter(it -> it.toString().endsWith(".deb")).toList();
        if (debs.isEmpty()) {
            System.err.println("Not written: apt, because there is no .deb");
            return;
        }
        var lists = new TreeMap<String, StringBuilder>();
        for (Path deb : debs) {
            String name = "pool/main/p/patchbay/" + deb.getFileName();
            Path copy = out.resolve("apt").resolve(name);
            Files.createDirectories(copy.getParent());
            Files.copy(deb, copy, StandardCopyOption.REPLACE_EXISTING);
            lists.computeIfAbsent(control(deb, "Architecture").strip(), _ -> new StringBuilder())
                    .append(control(deb).strip())
                    .append(
                            "\nFilename: %s\nSize: %d\nSHA256: %s\n\n"
                                    .formatted(
                                            name,
                                            Files.size(deb),
                                            digests.get(deb.getFileName().toString())));
        }
        var sums = new StringBuilder();
        for (var list : lists.entrySet()) {
            String name = "main/binary-" + list.getKey() + "/Packages";
            byte[] text = list.getValue().toString().getBytes(UTF_8);
            write("apt/dists/stable/" + name, list.getValue().toString());
            sums.append(" %s %d %s\n".formatted(digest(text), text.length, name));
        }
        String date =
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'UTC'", Locale.ROOT)
                        .format(time.atOffset(ZoneOffset.UTC));
        write(
                "apt/dists/stable/Release",
                """
                Origin: Patchbay
                Label: Patchbay
                Suite: stable
                Codename: stable
                Date: %s
                Architectures: %s
                Components: main
                SHA256:
                %s\
                """
                        .formatted(date, String.join(" ", lists.keySet()), sums));
    }

    private static String control(Path deb, String... fields)
            throws IOException, InterruptedException {
        var words = Stream.concat(Stream.of("dpkg-deb", "-f", deb.toString()), Stream.of(fields));
        Process process =
                new ProcessBuilder(words.toList()).redirectError(Redirect.INHERIT).start();
        String text = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("dpkg-deb cannot read " + deb);
        }
        return text;
    }

    private void write(String name, String text) throws IOException {
        Path file = out.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
