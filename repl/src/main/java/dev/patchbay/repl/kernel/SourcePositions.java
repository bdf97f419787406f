package dev.patchbay.repl.kernel;

/** Lines and columns of a text, both counted from one. */
final class SourcePositions {
    private final String text;

    SourcePositions(String text) {
        this.text = text;
    }

    int line(int offset) {
        int line = 1;
        for (int i = 0; i < Math.min(offset, text.length()); i++) {
            if (text.charAt(i) == '\n') {
                line++;
            }
        }
        return line;
    }

    int column(int offset) {
        int end = Math.min(offset, text.length());
        return end - text.lastIndexOf('\n', end - 1);
    }
}
