package dev.patchbay.conformance.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** The sections of a page that contain text, by the anchors of their headings, in order. */
record MarkdownPage(String path, List<String> anchors) {
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
    private static final Pattern HEADING = Pattern.compile("#{1,6} (.*)");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\([^)]*\\)");

    /** Reads a page. Code blocks, comments and images are not text. */
    static MarkdownPage read(Path root, String path) throws IOException {
        String text = Files.readString(root.resolve(path));
        for (Pattern ignored : List.of(CODE, COMMENT, IMAGE)) {
            text = ignored.matcher(text).replaceAll("");
        }
        var anchors = new ArrayList<String>();
        String section = "";
        for (String line : text.lines().toList()) {
            var heading = HEADING.matcher(line);
            if (heading.matches()) {
                section = anchor(heading.group(1));
            } else if (!line.isBlank() && (anchors.isEmpty() || !isLast(anchors, section))) {
                anchors.add(section);
            }
        }
        return new MarkdownPage(path, List.copyOf(anchors));
    }

    private static boolean isLast(List<String> anchors, String section) {
        return anchors.getLast().equals(section);
    }

    /** The anchor that links to a heading use. */
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }
}
