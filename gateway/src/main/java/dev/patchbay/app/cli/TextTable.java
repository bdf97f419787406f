package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.text.DisplayText;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows of text under headings, each column as wide as it must be, the last cut at the edge. */
final class TextTable {
    /** A text and how it looks; the look does not count for the width. */
    record Cell(String text, UnaryOperator<String> style) {
        static Cell of(String text) {
            return new Cell(DisplayText.oneLine(text), UnaryOperator.identity());
        }

        static Cell of(String text, UnaryOperator<String> look) {
            return new Cell(DisplayText.oneLine(text), look);
        }
    }

    private static final String GAP = "  ";
    private static final int LAST_COLUMN_CHARS_MIN = 20;

    private final List<String> headings;
    private final List<List<Cell>> rows = new ArrayList<>();

    TextTable(String... headings) {
        this.headings = List.of(headings);
    }

    void add(Cell... cells) {
        rows.add(List.of(cells));
    }

    void print(Terminal terminal) {
        int[] widths = widths();
        var line = new StringBuilder();
        for (int i = 0; i < headings.size(); i++) {
            append(line, headings.get(i), headings.get(i), i, widths);
        }
        terminal.print(terminal.dim(line.toString().stripTrailing()));
        int before = 0;
        for (int i = 0; i < widths.length - 1; i++) {
            before += widths[i] + GAP.length();
        }
        int room = Math.max(LAST_COLUMN_CHARS_MIN, terminal.width() - before);
        rows.forEach(row -> terminal.print(line(row, widths, terminal.isInteractive() ? room : 0)));
    }

    private static String line(List<Cell> row, int[] widths, int room) {
        var line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            Cell cell = row.get(i);
            String text =
                    i == widths.length - 1 && room > 0 ? truncate(cell.text(), room) : cell.text();
            append(line, cell.style().apply(text), text, i, widths);
        }
        return line.toString().stripTrailing();
    }

    private static void append(
            StringBuilder line, String shown, String text, int column, int[] widths) {
        line.append(shown);
        if (column < widths.length - 1) {
            line.repeat(' ', Math.max(0, widths[column] - text.length())).append(GAP);
        }
    }

    private int[] widths() {
        int[] widths = new int[headings.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = headings.get(i).length();
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).text().length());
            }
        }
        return widths;
    }

    private static String truncate(String text, int room) {
        return text.length() <= room ? text : text.substring(0, room - 1) + "…";
    }
}
