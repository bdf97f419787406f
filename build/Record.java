import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Records a run of the program in a terminal as a picture: {@code java build/Record.java >
 * docs/terminal.svg}. The commands are run for real, in a folder and with a home of their own.
 */
final class Record {
    private static final long COMMAND_SECONDS_MAX = 120;
    private static final int COLUMNS = 100;
    private static final int LINE_PX = 19;
    private static final double CHAR_PX = 8.43;
    private static final int MARGIN_PX = 18;
    private static final Pattern STYLE = Pattern.compile("\u001b\\[([0-9;]*)m");
    private static final Pattern MOVE = Pattern.compile("\r?\u001b\\[[0-9;]*[A-LN-Za-ln-z]|\r");

    private static final Map<String, String> COLOURS =
            Map.of(
                    "1", "#ffffff;font-weight:bold",
                    "2", "#8b949e",
                    "31", "#ff7b72",
                    "32", "#7ee787",
                    "33", "#e3b341");

    private static final String CONFIGURATION =
            """
            {
              "mcpServers": {
                "java": {"command": "%s", "args": ["repl"]},
                "github": {"command": "github-mcp-server", "args": ["stdio"], "maxRetries": 0},
                "search": {"url": "http://127.0.0.1:9/mcp", "maxRetries": 0}
              }
            }
            """;

    private static final List<String> COMMANDS =
            List.of(
                    "patchbay servers",
                    "patchbay call java.evaluate code='IntStream.range(0,5).sum()'",
                    "patchbay doctor");

    private final Path folder;
    private final Path launcher;
    private final List<String> lines = new ArrayList<>();

    private Record(Path folder, Path launcher) {
        this.folder = folder;
        this.launcher = launcher;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("record");
        var recording = new Record(folder, Path.of("patchbay").toAbsolutePath());
        recording.run();
        System.out.write(recording.picture().getBytes(UTF_8));
        System.out.flush();
    }

    private void run() throws IOException, InterruptedException {
        Path own = Files.createDirectories(folder.resolve(".config/patchbay"));
        Files.writeString(own.resolve("patchbay.json"), CONFIGURATION.formatted(launcher));
        for (String command : COMMANDS) {
            lines.add("\u001b[32m$\u001b[0m \u001b[1m" + command + "\u001b[0m");
            lines.addAll(output(command));
            lines.add("");
        }
        lines.removeLast();
    }

    /** What the command shows in a terminal, which the {@code script} program is. */
    private List<String> output(String command) throws IOException, InterruptedException {
        Path out = folder.resolve("out.txt");
        String real = command.replaceFirst("^patchbay", launcher.toString());
        var builder = new ProcessBuilder("script", "-qec", real, "/dev/null");
        builder.directory(folder.toFile()).redirectOutput(out.toFile());
        var environment = builder.environment();
        environment.put("PATH", "/usr/local/bin:/usr/bin:/bin");
        environment.put("HOME", folder.toString());
        environment.put("TERM", "xterm-256color");
        environment.put("COLUMNS", Integer.toString(COLUMNS));
        environment.remove("NO_COLOR");
        Process process = builder.start();
        process.getOutputStream().close();
        if (!process.waitFor(COMMAND_SECONDS_MAX, SECONDS)) {
            process.destroyForcibly();
            throw new IOException("Did not end: " + command);
        }
        var shown = new ArrayList<String>();
        for (String line : Files.readString(out).split("\r?\n", -1)) {
            // A line of progress is gone as soon as the next one is written over it.
            String[] parts = MOVE.split(line, -1);
            String last = parts.length == 0 ? "" : parts[parts.length - 1];
            shown.addAll(wrapped(last));
        }
        while (!shown.isEmpty() && shown.getLast().isBlank()) {
            shown.removeLast();
        }
        return shown;
    }

    /** A line as a terminal of that width shows it; styles begin anew on each line. */
    private static List<String> wrapped(String line) {
        var rows = new ArrayList<String>();
        var row = new StringBuilder();
        String style = "";
        int width = 0;
        for (int i = 0; i < line.length(); i++) {
            Matcher styled = STYLE.matcher(line).region(i, line.length());
            if (styled.lookingAt()) {
                style = styled.group();
                row.append(style);
                i = styled.end() - 1;
                continue;
            }
            if (width == COLUMNS) {
                rows.add(row.toString());
                row = new StringBuilder(style);
                width = 0;
            }
            row.append(line.charAt(i));
            width++;
        }
        rows.add(row.toString());
        return rows;
    }

    private String picture() {
        int width = (int) (COLUMNS * CHAR_PX) + 2 * MARGIN_PX;
        int height = lines.size() * LINE_PX + 2 * MARGIN_PX;
        var svg = new StringBuilder();
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" \
                font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
                <title>A recorded run of patchbay in a terminal</title>
                <rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
                """
                        .formatted(width, height));
        int y = MARGIN_PX + LINE_PX - 5;
        for (String line : lines) {
            if (!line.isBlank()) {
                svg.append(
                        "<text x=\"%d\" y=\"%d\" xml:space=\"preserve\" fill=\"#c9d1d9\">%s</text>\n"
                                .formatted(MARGIN_PX, y, spans(line)));
            }
            y += LINE_PX;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String spans(String line) {
        var spans = new StringBuilder();
        String colour = null;
        int from = 0;
        Matcher style = STYLE.matcher(line);
        while (style.find()) {
            spans.append(span(line.substring(from, style.start()), colour));
            colour = COLOURS.get(style.group(1));
            from = style.end();
        }
        return spans.append(span(line.substring(from), colour)).toString();
    }

    private static String span(String text, String colour) {
        String safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        return colour == null || text.isEmpty()
                ? safe
                : "<tspan style=\"fill:%s\">%s</tspan>".formatted(colour, safe);
    }
}
