import com.google.googlejavaformat.java.Main;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Formats every Java file of the project, or checks that each is formatted, in one run. */
final class Format {
    private static final Path ROOT = Path.of("");

    public static void main(String[] args) throws Exception {
        var mode = args.length == 1 ? args[0] : "";
        var command = new ArrayList<String>(List.of("--aosp"));
        switch (mode) {
            case "check" -> command.addAll(List.of("--dry-run", "--set-exit-if-changed"));
            case "write" -> command.add("--replace");
            default -> throw new IllegalArgumentException("usage: Format check|write");
        }
        command.addAll(sources());
        var out = new PrintWriter(System.out, true);
        var err = new PrintWriter(System.err, true);
        var status = new Main(out, err, System.in).format(command.toArray(String[]::new));
        if (status != 0 && mode.equals("check")) {
            err.println("Files above are not formatted. Run: mvn -q -N -Pformat validate");
        }
        System.exit(status);
    }

    private static List<String> sources() throws IOException {
        var found = new ArrayList<String>();
        for (var folder :
                List.of("build", "dist", "testkit", "gateway", "repl", "conformance", "bench")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.startsWith(Path.of(folder, "target")))
                        .forEach(file -> found.add(file.toString()));
            }
        }
        return found;
    }
}
