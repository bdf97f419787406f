package dev.patchbay.repl.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text that {@code dependency:tree} writes, taken apart. */
public final class DependencyTree {
    private static final int NODES_MAX = 5_000;

    /** Bars and corners of the drawing, three characters for each level. */
    private static final Pattern DRAWING = Pattern.compile("^[|+\\\\ -]*");

    /**
     * One artifact.
     *
     * @param depth 0 for what was asked for
     * @param coordinate group:artifact:version
     * @param fileName of its jar
     * @param omitted why it is not used, such as "omitted for conflict with 1.1"; empty if it is
     */
    public record Node(
            int depth, String coordinate, String scope, String fileName, String omitted) {
        /** Whether another version of it is used. */
        public boolean isConflict() {
            return omitted.contains("conflict");
        }
    }

    private DependencyTree() {}

    /** The nodes in the order of the text, without the root, which is no artifact. */
    public static List<Node> parse(String text) {
        var nodes = new ArrayList<Node>();
        for (String line : text.lines().skip(1).limit(NODES_MAX).toList()) {
            Matcher drawing = DRAWING.matcher(line);
            int start = drawing.find() ? drawing.end() : 0;
            boolean isUsed = !line.startsWith("(", start);
            String rest = line.substring(isUsed ? start : start + 1).strip();
            String[] parts = rest.split(" ", 2)[0].split(":", -1);
            if (parts.length >= 4) {
                nodes.add(node(start / 3 - 1, parts, isUsed ? "" : reason(rest)));
            }
        }
        return nodes;
    }

    /** What stands behind the dash, such as "omitted for duplicate". */
    private static String reason(String text) {
        int dash = text.lastIndexOf(" - ");
        String reason = dash < 0 ? "omitted" : text.substring(dash + 3);
        return reason.endsWith(")") ? reason.substring(0, reason.length() - 1) : reason;
    }

    /** group:artifact:type[:classifier]:version:scope. */
    private static Node node(int depth, String[] parts, String omitted) {
        boolean hasScope = parts.length >= 5;
        String version = parts[parts.length - (hasScope ? 2 : 1)];
        String classifier = parts.length >= 6 ? "-" + parts[3] : "";
        return new Node(
                Math.max(0, depth),
                parts[0] + ":" + parts[1] + ":" + version,
                hasScope ? parts[parts.length - 1] : "",
                parts[1] + "-" + version + classifier + "." + parts[2],
                omitted);
    }
}
