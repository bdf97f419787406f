package dev.patchbay.conformance.claims;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The blocks of a page: paragraphs, items of lists, rows of tables. Headings, code, pictures,
 * comments and what {@code bench/run} writes are none. A row that is there word for word again is
 * one block with the first.
 */
record MarkdownPage(String path, List<String> blocks) {
    private static final Pattern COMMENT = Pattern.compile("(?s)<!--.*?-->");
    private static final Pattern GENERATED =
            Pattern.compile("(?s)<!-- bench/run writes from here -->.*?writes to here -->");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern TABLE_RULE = Pattern.compile("\\|(?: *:?-+:? *\\|)+");
    private static final Pattern LIST_ITEM = Pattern.compile("\\s*(?:[-*+]|\\d+\\.)\\s+(.*)");
    private static final Pattern IMAGE = Pattern.compile("!\\[[^]]*]\\([^)]*\\)");

    /** After a sentence, where the next begins with a capital letter or a mark. */
    private static final Pattern SENTENCE_BREAK =
            Pattern.compile("(?<=[.?!][)\"*]{0,3})\\s+(?=[\\p{Lu}`*_\\[(\"<])");

    static MarkdownPage read(Path root, String path) throws IOException {
        String text = Files.readString(root.resolve(path));
        for (Pattern left : List.of(CODE, GENERATED, COMMENT)) {
            text = left.matcher(text).replaceAll("\n");
        }
        var blocks = new ArrayList<String>();
        var block = new StringBuilder();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean row = line.startsWith("|");
            var item = LIST_ITEM.matcher(line);
            if (line.isBlank() || line.startsWith("#") || row || item.matches()) {
                endBlock(block, blocks);
            }
            boolean head = i + 1 < lines.size() && TABLE_RULE.matcher(lines.get(i + 1)).matches();
            if ((row && (head || TABLE_RULE.matcher(line).matches())) || line.startsWith("#")) {
                continue;
            }
            block.append(item.matches() ? item.group(1) : line.replaceAll("^> ?", ""));
            block.append(' ');
            if (row) {
                endBlock(block, blocks);
            }
        }
        endBlock(block, blocks);
        return new MarkdownPage(path, List.copyOf(new LinkedHashSet<>(blocks)));
    }

    private static void endBlock(StringBuilder block, List<String> blocks) {
        String text = normalizeSpaces(block.toString());
        block.setLength(0);
        if (!text.isEmpty() && !IMAGE.matcher(text).matches()) {
            blocks.add(text);
        }
    }

    /** The words with one space between any two. */
    static String normalizeSpaces(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }

    /** A part of a block, by its place in it. */
    record Sentence(String block, int from, int to) {
        String text() {
            return block.substring(from, to);
        }
    }

    static List<Sentence> splitSentences(String block) {
        var sentences = new ArrayList<Sentence>();
        int from = 0;
        var end = SENTENCE_BREAK.matcher(block);
        while (end.find()) {
            sentences.add(new Sentence(block, from, end.start()));
            from = end.end();
        }
        sentences.add(new Sentence(block, from, block.length()));
        return sentences;
    }
}
