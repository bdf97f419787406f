import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the packages for the system and the processor that it runs on: a folder with the program
 * and its own run time, an archive of it, and on Linux a Debian package of it. The same sources and
 * the same JDK give the same bytes.
 */
final class Image {
    private static final long STEP_SECONDS_MAX = 600;
    private static final int TRAINING_ROUNDS = 3;

    /**
     * The whole of Java SE, for what people evaluate in the REPL, what the REPL itself needs, and
     * what keeps quiet connections alive.
     */
    private static final String MODULES =
            "java.se,jdk.compiler,jdk.jfr,jdk.jshell,jdk.management,jdk.net,jdk.unsupported,"
                    + "jdk.zipfs";

    private static final Path JDK = Path.of(System.getProperty("java.home"));
    private static final String SYSTEM = system();

    private final Path root;
    private final Path target;
    private final String version;
    private final Instant time;
    private final String name;
    private final Path image;

    private Image(Path root, Path target, String version, Instant time) {
        this.root = root.toAbsolutePath().normalize();
        this.target = target.toAbsolutePath().normalize();
        this.version = version;
        this.time = time;
        String arch = System.getProperty("os.arch").equals("amd64") ? "x64" : "arm64";
        this.name = "patchbay-" + version + "-" + SYSTEM + "-" + arch;
        this.image = this.target.resolve(name);
    }

    private static String system() {
        String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "macos" : name.startsWith("win") ? "windows" : "linux";
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        var image = new Image(Path.of(args[0]), Path.of(args[1]), args[2], Instant.parse(args[3]));
        String wish = args.length == 4 ? "" : args[4];
        if (wish.equals("--classes")) {
            image.writeClasses();
            return;
        }
        image.make();
        if (!wish.equals("--no-deb")) {
            image.debian();
        }
    }

    private void make() throws IOException, InterruptedException {
        begin();
        papers();
        Sbom.write(image.resolve("share", "doc", "patchbay", "sbom.cdx.json"), image, version);
        settle();
        archiveOfClasses();
        settle();
        archive();
    }

    /** The run time and the program, in a folder that is empty before. */
    private void begin() throws IOException, InterruptedException {
        delete(image);
        Files.createDirectories(image.resolve("lib", "app"));
        runTime();
        program();
    }

    private void runTime() throws IOException, InterruptedException {
        Path runtime = image.resolve("lib", "runtime");
        run(
                tool("jlink"),
                "--add-modules",
                MODULES,
                "--strip-java-debug-attributes",
                "--no-header-files",
                "--no-man-pages",
                "--compress",
                "zip-6",
                "--output",
                runtime.toString());
        for (String unused : List.of("jdb", "jrunscript", "rmiregistry", "serialver")) {
            Files.deleteIfExists(runtime.resolve("bin", unused));
            Files.deleteIfExists(runtime.resolve("bin", unused + ".exe"));
        }
    }

    private void program() throws IOException {
        Path app = image.resolve("lib", "app");
        try (Stream<Path> jars = Files.list(root.resolve("gateway/target/patchbay/lib"))) {
            for (Path jar : jars.filter(it -> it.toString().endsWith(".jar")).toList()) {
                copy(jar, app.resolve(jar.getFileName()));
            }
        }
        copy(root.resolve("build/jvm.options"), app.resolve("jvm.options"));
        copy(root.resolve("build/training.jsonl"), app.resolve("training.jsonl"));
        boolean isWindows = SYSTEM.equals("windows");
        for (String script :
                isWindows ? List.of("patchbay.cmd") : List.of("patchbay", "patchbay-train")) {
            Path file = image.resolve("bin", script);
            copy(root.resolve("dist/image").resolve(script), file);
            if (!isWindows) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    /** What the program says of itself, made by the program. */
    private void papers() throws IOException, InterruptedException {
        Path share = image.resolve("share");
        String manual = output("manual", "man");
        Path page = share.resolve("man", "man1", "patchbay.1.gz");
        Files.createDirectories(page.getParent());
        try (var out = new GZIPOutputStream(Files.newOutputStream(page))) {
            out.write(manual.getBytes(UTF_8));
        }
        write(share.resolve("bash-completion/completions/patchbay"), completion());
        if (SYSTEM.equals("linux")) {
            copy(
                    root.resolve("dist/image/patchbay.service"),
                    share.resolve("systemd/user/patchbay.service"));
        }
        Path doc = share.resolve("doc", "patchbay");
        for (String file : List.of("LICENSE", "README.md", "CHANGELOG.md", "SECURITY.md")) {
            copy(root.resolve(file), doc.resolve(file));
        }
        copy(root.resolve("dist/LICENCES.md"), doc.resolve("LICENCES.md"));
    }

    /** Without the line that says when it was made. */
    private String completion() throws IOException, InterruptedException {
        return output("completion")
                .lines()
                .filter(line -> !line.startsWith("# Generated by") && !line.startsWith("# Date:"))
                .reduce("", (text, line) -> text + line + "\n");
    }

    private String output(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(target, "out", ".txt");
        var words = new ArrayList<>(java());
        words.addAll(List.of("-cp", jar(), "dev.patchbay.app.Main"));
        words.addAll(List.of(arguments));
        run(new ProcessBuilder(words).redirectOutput(out.toFile()));
        String text = Files.readString(out);
        Files.delete(out);
        return text;
    }

    private List<String> java() {
        return List.of(
                image.resolve("lib/runtime/bin/java").toString(),
                "@" + image.resolve("lib/app/jvm.options"));
    }

    private String jar() {
        return image.resolve("lib/app/patchbay.jar").toString();
    }

    /** Gives every file the same time: the JVM accepts an archive of classes by it. */
    private void settle() throws IOException {
        var stamp = FileTime.from(time);
        try (Stream<Path> files = Files.walk(image)) {
            for (Path file : files.toList()) {
                if (!Files.isSymbolicLink(file)) {
                    Files.setLastModifiedTime(file, stamp);
                }
            }
        }
    }

    /**
     * Writes down anew which classes are archived: those that some runs load. Which these are is to
     * a small part chance, so that they are kept with the sources and not found out by each build.
     */
    private void writeClasses() throws IOException, InterruptedException {
        begin();
        var classes = new TreeSet<String>();
        for (int round = 0; round < TRAINING_ROUNDS; round++) {
            classes.addAll(training("stdio"));
            classes.addAll(training("servers", "--json"));
            classes.addAll(training("doctor"));
        }
        var lines = new ArrayList<String>(classes);
        // What is told of classes comes after them.
        lines.sort(Comparator.comparing(line -> line.startsWith("@")));
        Files.write(classList(), lines);
        delete(image);
    }

    private Path classList() {
        return root.resolve("dist", "classes.lst");
    }

    /** Makes the archive from which the JVM takes classes already parsed and checked. */
    private void archiveOfClasses() throws IOException, InterruptedException {
        // With paths from the folder on: others would become part of the bytes.
        var dump =
                new ProcessBuilder(
                        image.resolve("lib/runtime/bin/java").toString(),
                        "@lib/app/jvm.options",
                        "-Xshare:dump",
                        "-XX:SharedClassListFile=" + classList(),
                        "-XX:SharedArchiveFile=lib/app/patchbay.jsa",
                        "-cp",
                        "lib/app/patchbay.jar");
        run(dump.directory(image.toFile()).redirectOutput(Redirect.DISCARD));
    }

    private List<String> training(String... arguments) throws IOException, InterruptedException {
        Path home = Files.createDirectories(target.resolve("home"));
        Path list = Files.createTempFile(target, "classes", ".lst");
        var words = new ArrayList<>(java());
        words.addAll(List.of("-Xshare:off", "-XX:DumpLoadedClassList=" + list));
        words.addAll(List.of("-Dpatchbay.launcher=" + image.resolve("bin/patchbay")));
        words.addAll(List.of("-cp", jar(), "dev.patchbay.app.Main"));
        words.addAll(List.of(arguments));
        var builder = new ProcessBuilder(words).directory(home.toFile());
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.redirectInput(root.resolve("build/training.jsonl").toFile());
        builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD);
        run(builder);
        List<String> classes =
                Files.readAllLines(list).stream()
                        // Which constants were resolved depends on which thread came first.
                        .filter(line -> !line.startsWith("#") && !line.startsWith("@cp "))
                        .filter(line -> !line.contains(" source: "))
                        .map(line -> line.replaceAll(" id: .*", ""))
                        .toList();
        Files.delete(list);
        delete(home);
        return classes;
    }

    private void archive() throws IOException {
        TarFile.write(image, target.resolve(name + ".tar.gz"), time.getEpochSecond());
    }

    /** The folder as jpackage wants it, with our launcher in the place of its own. */
    private void debian() throws IOException, InterruptedException {
        if (!isThere("dpkg-deb") || !isThere("fakeroot")) {
            System.err.println("No Debian package is made: that needs dpkg-deb and fakeroot.");
            return;
        }
        Path work = target.resolve("deb");
        delete(work);
        Path input = Files.createDirectories(work.resolve("input"));
        copy(Path.of(jar()), input.resolve("patchbay.jar"));
        run(
                tool("jpackage"),
                "--type",
                "app-image",
                "--name",
                "patchbay",
                "--input",
                input.toString(),
                "--main-jar",
                "patchbay.jar",
                "--runtime-image",
                image.resolve("lib/runtime").toString(),
                "--dest",
                work.toString());
        Path app = work.resolve("patchbay");
        Path marker = Path.of("lib", "app", ".jpackage.xml");
        Path kept = Files.move(app.resolve(marker), work.resolve("jpackage.xml"));
        delete(app);
        run("cp", "-a", image.toString(), app.toString());
        // Of a folder that it did not make, jpackage takes over bin and lib and nothing else.
        Files.move(app.resolve("share"), app.resolve("lib", "share"));
        Files.move(kept, app.resolve(marker));
        var builder =
                new ProcessBuilder(
                        tool("jpackage"),
                        "--type",
                        "deb",
                        "--app-image",
                        app.toString(),
                        "--name",
                        "patchbay",
                        "--app-version",
                        version.replaceAll("-.*", ""),
                        "--description",
                        "One MCP endpoint for all of your MCP servers",
                        "--vendor",
                        "Patchbay",
                        "--linux-package-name",
                        "patchbay",
                        "--resource-dir",
                        root.resolve("dist/deb").toString(),
                        "--dest",
                        target.toString());
        builder.environment().put("SOURCE_DATE_EPOCH", Long.toString(time.getEpochSecond()));
        // What dpkg-deb would choose by the number of processors is part of the bytes.
        builder.environment().put("DPKG_DEB_THREADS_MAX", "1");
        builder.environment().put("DPKG_DEB_COMPRESSOR_TYPE", "xz");
        builder.environment().put("DPKG_DEB_COMPRESSOR_LEVEL", "2");
        run(builder);
        delete(work);
    }

    private static boolean isThere(String program) {
        return Stream.of("/usr/bin", "/bin", "/usr/local/bin")
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    private static String tool(String program) {
        return JDK.resolve("bin").resolve(program).toString();
    }

    private static void run(String... words) throws IOException, InterruptedException {
        run(new ProcessBuilder(words).redirectOutput(Redirect.INHERIT));
    }

    private static void run(ProcessBuilder builder) throws IOException, InterruptedException {
        if (builder.redirectError() == Redirect.PIPE) {
            builder.redirectError(Redirect.INHERIT);
        }
        Process process = builder.start();
        if (!process.waitFor(STEP_SECONDS_MAX, SECONDS)) {
            process.destroyForcibly();
            throw new IOException("Took too long: " + builder.command());
        }
        if (process.exitValue() != 0) {
            throw new IOException("Failed: " + builder.command());
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
