package dev.patchbay.config.syntax;

import dev.patchbay.config.Finding;
import dev.patchbay.config.Finding.Kind;
import dev.patchbay.config.SanitizedText;
import dev.patchbay.config.TextPosition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** All that was found so far in one text. */
public final class FindingCollector {
    /** A file with more has one cause; the rest would only hide it. */
    private static final int FINDINGS_MAX = 200;

    /** Where something stands: the way to it, and its first char. */
    public record Location(String path, int offset) {
        /** Where an element of a list stands. */
        public Location element(int index, SyntaxNode element) {
            return new Location(path + "[" + index + "]", element.from());
        }

        /** Where the value of a member stands. */
        public Location member(String name, SyntaxNode value) {
            return new Location(SanitizedText.memberPath(path, name), value.from());
        }
    }

    private final LineIndex lines;
    private final List<Finding> findings = new ArrayList<>();
    private boolean hasErrors;

    public FindingCollector(String text) {
        lines = new LineIndex(text);
    }

    public void add(Kind kind, Location spot, String problem, String remedy) {
        hasErrors |= kind.severity() == Finding.Severity.ERROR;
        if (!isFull()) {
            var place = lines.positionAt(spot.offset());
            findings.add(new Finding(kind, place, spot.path(), problem, remedy));
        }
    }

    /** Whether more would not be kept, so that nobody need look for it. */
    public boolean isFull() {
        return findings.size() >= FINDINGS_MAX;
    }

    public boolean hasErrors() {
        return hasErrors;
    }

    /** What was found, in the order of the text. */
    public List<Finding> sorted() {
        if (findings.isEmpty()) {
            return List.of();
        }
        var order =
                Comparator.comparingInt((Finding finding) -> finding.position().line())
                        .thenComparingInt(finding -> finding.position().column());
        return findings.stream().sorted(order).toList();
    }

    /** The place of a char in the text, for messages that name a second place. */
    public TextPosition positionAt(int offset) {
        return lines.positionAt(offset);
    }
}
