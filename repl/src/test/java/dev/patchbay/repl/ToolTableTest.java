package dev.patchbay.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.patchbay.json.Json;
import dev.patchbay.mcp.Implementation;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The tables of docs/java-repl.md name the tools that there are. */
class ToolTableTest {
    private static final Path PAGE = Path.of("..", "docs", "java-repl.md");
    private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");

    /** The tools of cl-mcp-server 0.3.0. */
    private static final List<String> OTHERS =
            List.of(
                    "get-usage-guide",
                    "evaluate-lisp",
                    "list-definitions",
                    "reset-session",
                    "load-system",
                    "configure-limits",
                    "describe-symbol",
                    "apropos-search",
                    "who-calls",
                    "who-references",
                    "macroexpand-form",
                    "validate-syntax",
                    "compile-form",
                    "time-execution",
                    "describe-last-error",
                    "get-backtrace",
                    "class-info",
                    "find-methods",
                    "describe-system",
                    "system-dependencies",
                    "list-local-systems",
                    "find-system-file",
                    "quickload",
                    "quicklisp-search",
                    "load-file",
                    "profile-code",
                    "profile-functions",
                    "memory-report",
                    "allocation-profile",
                    "match-paren",
                    "telos-list-features",
                    "telos-feature-intent",
                    "telos-get-intent",
                    "telos-intent-chain",
                    "telos-feature-members",
                    "telos-feature-decisions",
                    "telos-list-decisions");

    private static Set<String> tools() throws InterruptedException {
        var names = new TreeSet<String>();
        try (var repl = new ReplTestSession();
                var service = ReplService.of(new Implementation("repl", "1"), repl.session)) {
            for (Json tool : JsonFields.elements(new ReplServiceClient(service).list(), "tools")) {
                names.add(JsonFields.text(tool, "name"));
            }
        }
        return names;
    }

    private static List<String> rows(String heading) throws IOException {
        List<String> lines = Files.readAllLines(PAGE);
        int start = lines.indexOf(heading);
        assertThat(start).as(heading).isNotNegative();
        return lines.subList(start + 1, lines.size()).stream()
                .takeWhile(line -> !line.startsWith("#"))
                .filter(line -> line.startsWith("| "))
                .skip(1)
                .toList();
    }

    private static List<String> names(String cell) {
        return CODE.matcher(cell).results().map((MatchResult it) -> it.group(1)).toList();
    }

    @Test
    void pageNamesEveryTool() throws Exception {
        var named = new TreeSet<String>();
        rows("# The Java REPL").forEach(row -> named.addAll(names(row.split("\\|", -1)[1])));
        assertThat(named).isEqualTo(tools());
    }

    @Test
    void everyToolOfClMcpServerHasAnEquivalentOrAReason() throws Exception {
        Set<String> tools = tools();
        var others = new ArrayList<String>();
        for (String row : rows("## Compared with cl-mcp-server")) {
            String[] cells = row.split("\\|", -1);
            others.add(cells[1].strip());
            List<String> ours = names(cells[2]);
            if (ours.isEmpty()) {
                assertThat(cells[2]).as(row).contains("none: ").hasSizeGreaterThan(40);
            } else {
                assertThat(tools).as(row).containsAll(ours);
                assertThat(cells[3]).as(row).containsPattern("`[A-Z]\\w+Test\\.\\w+`");
            }
        }
        assertThat(others).containsExactlyElementsOf(OTHERS).hasSize(37);
    }
}
