package dev.patchbay.dashboard;

import dev.patchbay.http.server.HttpRoute;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Serves the files of the page. They hold no secrets and need no token; the data that they show
 * does. Only the listed paths are served.
 */
final class StaticFiles implements HttpRoute {
    static final Map<String, String> HEADERS =
            Map.of(
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
                            + " connect-src 'self'; base-uri 'none'; form-action 'none';"
                            + " frame-ancestors 'none'; require-trusted-types-for 'script';"
                            + " trusted-types 'none'",
                    "X-Content-Type-Options",
                    "nosniff",
                    "X-Frame-Options",
                    "DENY",
                    "Referrer-Policy",
                    "no-referrer",
                    "Cross-Origin-Opener-Policy",
                    "same-origin",
                    "Cross-Origin-Resource-Policy",
                    "same-origin",
                    "Cache-Control",
                    "no-cache");

    private static final Map<String, String> FILES =
            Map.ofEntries(
                    Map.entry("/", "index.html"),
                    Map.entry("/assets/icon.svg", "icon.svg"),
                    Map.entry("/assets/page.css", "page.css"),
                    Map.entry("/assets/parts.css", "parts.css"),
                    Map.entry("/assets/main.js", "main.js"),
                    Map.entry("/assets/access.js", "access.js"),
                    Map.entry("/assets/calls.js", "calls.js"),
                    Map.entry("/assets/console.js", "console.js"),
                    Map.entry("/assets/dom.js", "dom.js"),
                    Map.entry("/assets/form.js", "form.js"),
                    Map.entry("/assets/format.js", "format.js"),
                    Map.entry("/assets/keys.js", "keys.js"),
                    Map.entry("/assets/live.js", "live.js"),
                    Map.entry("/assets/mcp.js", "mcp.js"),
                    Map.entry("/assets/servers.js", "servers.js"),
                    Map.entry("/assets/spark.js", "spark.js"),
                    Map.entry("/assets/store.js", "store.js"),
                    Map.entry("/assets/tools.js", "tools.js"));

    private final ConcurrentMap<String, Response> read = new ConcurrentHashMap<>();

    /** The names of all files. */
    static Collection<String> files() {
        return FILES.values();
    }

    @Override
    public boolean isPublic() {
        return true;
    }

    @Override
    public Response serve(Request ask) {
        String file = FILES.get(ask.path());
        if (file == null) {
            return Response.text(404, "Not found. MCP is served at /mcp\n").withHeaders(HEADERS);
        }
        if (!ask.method().equals("GET")) {
            return Response.text(405, "Only GET\n").withHeaders(Map.of("Allow", "GET"));
        }
        return read.computeIfAbsent(file, StaticFiles::read);
    }

    private static Response read(String file) {
        try (InputStream in = StaticFiles.class.getResourceAsStream("web/" + file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is not in the jar");
            }
            return new Response(200, contentType(file), in.readAllBytes()).withHeaders(HEADERS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String contentType(String file) {
        return switch (file.substring(file.lastIndexOf('.'))) {
            case ".html" -> "text/html; charset=utf-8";
            case ".css" -> "text/css; charset=utf-8";
            case ".js" -> "text/javascript; charset=utf-8";
            default -> "image/svg+xml";
        };
    }
}
