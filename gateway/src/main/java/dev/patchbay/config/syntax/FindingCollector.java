package dev.patchbay.config.syntax;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.TextPosition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Collects the findings in one text. */
public final class FindingCollector {
    /** More findings usually have one cause and would only hide it. */
    private static final int FINDINGS_MAX = 200;

    /** A location: the path of a value, and the offset of its first character. */
    public record Location(String path, int offset) {
        /** The location of an array element. */
        public Location element(int index, SyntaxNode element) {
            return new Location(path + "[" + index + "]", element.from());
        }

        /** The location of a member's value. */
        public Location member(String name, SyntaxNode value) {
            return new Location(SanitizedText.memberPath(path, name), value.from());
        }
    }

    private final LineIndex lines;
    private final List<Finding> findings = new ArrayList<>();

    /** The first error at each place, without those that were taken. */
    private final NavigableMap<Integer, Finding> errorsByOffset = new TreeMap<>();

    public FindingCollector(String text) {
        lines = new LineIndex(text);
    }

    public void add(Kind kind, Location spot, String problem, String remedy) {
        boolean isError = kind.severity() == Finding.Severity.ERROR;
        if (isFull() && !isError) {
            return;
        }
        var place = lines.positionAt(spot.offset());
        var finding = new Finding(kind, place, spot.path(), problem, remedy);
        if (!isFull()) {
            findings.add(finding);
        }
        if (isError) {
            errorsByOffset.putIfAbsent(spot.offset(), finding);
        }
    }

    /**
     * The errors at the chars from the one to before the other. Except for those of the syntax,
     * they no longer count as errors of the whole text.
     */
    public List<Finding> takeErrors(int from, int to) {
        var part = errorsByOffset.subMap(from, to);
        if (part.isEmpty()) {
            return List.of();
        }
        var taken = List.copyOf(part.values());
        part.values().removeIf(it -> it.kind() != Kind.SYNTAX);
        return taken;
    }

    /** Whether the limit is reached, so that no more findings are kept. */
    public boolean isFull() {
        return findings.size() >= FINDINGS_MAX;
    }

    /** Whether there are errors that were not taken. */
    public boolean hasErrors() {
        return !errorsByOffset.isEmpty();
    }

    /** The findings in the order of the text. */
    public List<Finding> sorted() {
        if (findings.isEmpty()) {
            return List.of();
        }
        var order =
                Comparator.comparingInt((Finding finding) -> finding.position().line())
                        .thenComparingInt(finding -> finding.position().column());
        return findings.stream().sorted(order).toList();
    }

    /** The position of an offset in the text. */
    public TextPosition positionAt(int offset) {
        return lines.positionAt(offset);
    }
}
