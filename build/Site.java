import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes a web site of the guide: {@code java build/Site.java ROOT OUT}. It is a folder of files
 * that any web server can serve, and that a browser can open from disk. It loads nothing from
 * elsewhere, and its search needs no server.
 */
final class Site {
    private static final String SOURCES = "https://github.com/patchbay/patchbay/blob/main/";
    private static final Pattern LINK = Pattern.compile("\\[([^]]+)]\\(([a-zA-Z-]+\\.md)\\)");

    private final Path root;
    private final Path out;

    /** The pages by the paths of their sources below the root, with their names on the site. */
    private final Map<String, String> pages = new LinkedHashMap<>();

    /** The titles of the pages in the navigation, by their names on the site. */
    private final Map<String, String> navigation = new LinkedHashMap<>();

    private final StringJoiner index =
            new StringJoiner(",\n", "window.SEARCH_INDEX = [\n", "\n];\n");

    private Site(Path root, Path out) {
        this.root = root.toAbsolutePath().normalize();
        this.out = out.toAbsolutePath().normalize();
    }

    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: java build/Site.java ROOT OUT");
            System.exit(2);
        }
        new Site(Path.of(args[0]), Path.of(args[1])).write();
    }

    private void write() throws IOException {
        findPages();
        Files.createDirectories(out);
        for (var page : pages.entrySet()) {
            writePage(page.getKey(), page.getValue());
        }
        Files.writeString(out.resolve("search-index.js"), index.toString());
        for (String file : new String[] {"site.css", "site.js"}) {
            Path from = root.resolve("build/site").resolve(file);
            Files.copy(from, out.resolve(file), StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private void findPages() throws IOException {
        pages.put("README.md", "index.html");
        pages.put("docs/README.md", "guide.html");
        Path docs = root.resolve("docs");
        try (Stream<Path> files = Files.walk(docs)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = docs.relativize(file).toString().replace('\\', '/');
                if (name.endsWith(".md")) {
                    pages.putIfAbsent("docs/" + name, name.replaceFirst("\\.md$", ".html"));
                } else {
                    Path copy = out.resolve(name);
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        navigation.put("index.html", "Patchbay");
        navigation.put("guide.html", "The guide");
        Matcher link = LINK.matcher(Files.readString(docs.resolve("README.md")));
        while (link.find()) {
            navigation.putIfAbsent(link.group(2).replace(".md", ".html"), link.group(1));
        }
    }

    private void writePage(String source, String name) throws IOException {
        String up = "../".repeat((int) name.chars().filter(c -> c == '/').count());
        var page =
                new Markdown(
                        Files.readString(root.resolve(source)), link -> target(source, up, link));
        for (Markdown.Section section : page.sections()) {
            index.add(
                    "{u: %s, p: %s, t: %s, x: %s}"
                            .formatted(
                                    quote(name + "#" + section.anchor()),
                                    quote(page.title()),
                                    quote(section.title()),
                                    quote(section.text())));
        }
        Path file = out.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, html(name, up, page).getBytes(UTF_8));
    }

    /**
     * Where a link of a source leads on the site; sources that are no page are in the repository.
     */
    private String target(String source, String up, String link) {
        if (link.matches("[a-z]+:.*") || link.startsWith("#")) {
            return link;
        }
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        String anchor = hash < 0 ? "" : link.substring(hash);
        Path parent = Path.of(source).getParent();
        Path resolved = (parent == null ? Path.of(path) : parent.resolve(path)).normalize();
        String file = resolved.toString().replace('\\', '/');
        String page = pages.get(file);
        if (page != null) {
            return up + page + anchor;
        }
        boolean isCopied = file.startsWith("docs/") && Files.isRegularFile(root.resolve(file));
        return isCopied ? up + file.substring("docs/".length()) : SOURCES + file + anchor;
    }

    private String html(String name, String up, Markdown page) {
        var menu = new StringBuilder();
        navigation.forEach(
                (target, title) ->
                        menu.append(
                                "<li><a href=\"%s\"%s>%s</a></li>\n"
                                        .formatted(
                                                up + target,
                                                target.equals(name) ? " aria-current=\"page\"" : "",
                                                Markdown.escape(title))));
        String title = Markdown.escape(page.title());
        return """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <title>%s</title>
        <link rel="stylesheet" href="%ssite.css"/>
        <script defer="defer" src="%ssearch-index.js"></script>
        <script defer="defer" src="%ssite.js" data-root="%s"></script>
        </head>
        <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
        <a class="name" href="%sindex.html">Patchbay</a>
        <form id="search" role="search"><label for="words">Search</label>
        <input id="words" type="search" autocomplete="off" placeholder="Search the guide ( / )"/></form>
        </header>
        <div class="columns">
        <nav aria-label="Pages"><ul>
        %s</ul></nav>
        <main id="content">
        <section id="results" hidden="hidden" aria-live="polite"></section>
        <article>
        %s</article>
        </main>
        </div>
        </body>
        </html>
        """
                .formatted(title, up, up, up, up, up, menu, page.html());
    }

    /** A text as a string of JavaScript. */
    private static String quote(String text) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '<' -> quoted.append("\\u003c");
                default -> {
                    if (c < ' ' || c == '\u2028' || c == '\u2029') {
                        quoted.append("\\u%04x".formatted((int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }
}
