package dev.patchbay.repl;

import dev.patchbay.json.Json;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A call tree as a picture: each box is a method, as wide as its share, over its caller. */
final class FlameGraph {
    private static final int WIDTH = 1_200;
    private static final int ROW_HEIGHT = 18;
    private static final int MARGIN = 10;
    private static final int TITLE_HEIGHT = 34;
    private static final double CHAR_WIDTH = 6.6;
    private static final double BOX_WIDTH_MIN = 0.3;

    /** A node of the tree, with where it begins, in the unit of the tree. */
    private record Box(int depth, String method, long start, long total) {}

    private FlameGraph() {}

    /** The picture as SVG, from rows in which the callees of a node follow it. */
    static String svg(List<Json> rows, long total, String title) {
        List<Box> boxes = boxes(rows);
        int depth = boxes.stream().mapToInt(Box::depth).max().orElse(0);
        int height = TITLE_HEIGHT + (depth + 1) * ROW_HEIGHT + MARGIN;
        var svg = new StringBuilder();
        svg.append(
                """
                <svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" \
                viewBox="0 0 %d %d" font-family="monospace" font-size="11">
                """
                        .formatted(WIDTH, height, WIDTH, height));
        svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
        svg.append(
                "<text x=\"%d\" y=\"20\" font-size=\"14\">%s</text>\n"
                        .formatted(MARGIN, escape(title)));
        double scale = (WIDTH - 2.0 * MARGIN) / Math.max(1, total);
        for (Box box : boxes) {
            append(box, height, scale, total, svg);
        }
        return svg.append("</svg>\n").toString();
    }

    /** A callee begins where the callees before it end. */
    private static List<Box> boxes(List<Json> rows) {
        var boxes = new ArrayList<Box>();
        var next = new ArrayList<Long>(List.of(0L));
        for (Json row : rows) {
            int depth = (int) JsonFields.number(row, "depth");
            long total = JsonFields.number(row, "total");
            while (next.size() > depth + 1) {
                next.removeLast();
            }
            long start = next.get(depth);
            boxes.add(new Box(depth, JsonFields.text(row, "method"), start, total));
            next.set(depth, start + total);
            next.add(start);
        }
        return boxes;
    }

    private static void append(
            Box box, int height, double scale, long total, StringBuilder target) {
        double width = box.total() * scale;
        if (width < BOX_WIDTH_MIN) {
            return;
        }
        double x = MARGIN + box.start() * scale;
        int y = height - MARGIN - (box.depth() + 1) * ROW_HEIGHT;
        double percent = 100.0 * box.total() / Math.max(1, total);
        String name = escape(box.method());
        target.append(
                String.format(
                        Locale.ROOT,
                        "<g><title>%s: %,d (%.1f %%)</title><rect x=\"%.1f\" y=\"%d\""
                                + " width=\"%.1f\" height=\"%d\" fill=\"%s\" rx=\"2\"/>",
                        name,
                        box.total(),
                        percent,
                        x,
                        y,
                        width,
                        ROW_HEIGHT - 1,
                        color(box.method())));
        int chars = (int) ((width - 6) / CHAR_WIDTH);
        if (chars >= 3) {
            target.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%.1f\" y=\"%d\">%s</text>",
                            x + 3,
                            y + ROW_HEIGHT - 6,
                            escape(fitted(box.method(), chars))));
        }
        target.append("</g>\n");
    }

    /** The end of a name says more than its packages. */
    private static String fitted(String name, int chars) {
        return name.length() <= chars ? name : "…" + name.substring(name.length() - chars + 1);
    }

    /** Methods of one class have one color. */
    private static String color(String method) {
        int dot = method.lastIndexOf('.');
        int hash = (dot < 0 ? method : method.substring(0, dot)).hashCode();
        return "hsl(%d,%d%%,%d%%)"
                .formatted(
                        Math.floorMod(hash, 50),
                        65 + Math.floorMod(hash >> 8, 20),
                        62 + Math.floorMod(hash >> 16, 10));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
