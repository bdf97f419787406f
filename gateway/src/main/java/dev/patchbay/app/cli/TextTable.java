package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.Terminal;
import dev.patchbay.text.DisplayText;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Rows of text under headings. On a terminal, the last column is cut or wrapped at the edge. */
final class TextTable {
    /** A text and its style, which does not count for the width. */
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
    private static final int WRAPPED_LINES_MAX = 5;

    private final List<String> headings;
    private final List<List<Cell>> rows = new ArrayList<>();

    TextTable(String... headings) {
        this.headings = List.of(headings);
    }

    void add(Cell... cells) {
        rows.add(List.of(cells));
    }

    /** Prints one line per row. On a terminal, the last column is cut at the edge. */
    void print(Terminal terminal) {
        print(terminal, 1);
    }

    /** Prints the rows. On a terminal, the last column continues on the next lines. */
    void printWrapped(Terminal terminal) {
        print(terminal, WRAPPED_LINES_MAX);
    }

    private void print(Terminal terminal, int linesMax) {
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
        if (!terminal.isInteractive()) {
            rows.forEach(row -> terminal.print(line(row, widths, row.getLast().text())));
            return;
        }
        int room = Math.max(LAST_COLUMN_CHARS_MIN, terminal.width() - before);
        for (List<Cell> row : rows) {
            List<String> parts = wrap(row.getLast().text(), room, linesMax);
            terminal.print(line(row, widths, parts.getFirst()));
            for (String part : parts.subList(1, parts.size())) {
                terminal.print(" ".repeat(before) + row.getLast().style().apply(part));
            }
        }
    }

    private static String line(List<Cell> row, int[] widths, String lastText) {
        var line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            Cell cell = row.get(i);
            String text = i == widths.length - 1 ? lastText : cell.text();
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

    /** Splits a text at spaces into lines of a width. What does not fit is cut. */
    static List<String> wrap(String text, int width, int linesMax) {
        var lines = new ArrayList<String>();
        String rest = text;
        while (rest.length() > width && lines.size() < linesMax - 1) {
            int space = rest.lastIndexOf(' ', width);
            int end = space > 0 ? space : width;
            lines.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        lines.add(rest.length() <= width ? rest : rest.substring(0, width - 1) + "…");
        return lines;
    }
}
