package dev.patchbay.http.server;

import dev.patchbay.text.DisplayText;

import org.jspecify.annotations.Nullable;

/**
 * Decides which view the requests for a path get. {@code /mcp} is the whole catalog, or the view of
 * the token; {@code /mcp/views/NAME} is that view. A token with a view gives access to that view
 * only.
 */
final class ViewAccess {
    static final String MCP_PATH = "/mcp";

    private static final String VIEWS_PREFIX = MCP_PATH + "/views/";

    /** What a request gets. */
    sealed interface Decision {
        record Granted(EndpointClient client) implements Decision {}

        record Refused(int status, String reason) implements Decision {}
    }

    private final HandlerFactory handlers;

    ViewAccess(HandlerFactory handlers) {
        this.handlers = handlers;
    }

    /** Whether a path is that of the endpoint, for any view. */
    static boolean isEndpoint(@Nullable String path) {
        return path != null && (path.equals(MCP_PATH) || path.startsWith(VIEWS_PREFIX));
    }

    /** Decides for a path of the endpoint. */
    Decision decide(Principal principal, String path) {
        String asked = path.equals(MCP_PATH) ? "" : path.substring(VIEWS_PREFIX.length());
        String own = principal.view();
        if (own != null) {
            return asked.isEmpty() || asked.equals(own)
                    ? ofToken(principal, own)
                    : new Decision.Refused(
                            403, "Forbidden: the token is valid for the view " + own + " only");
        }
        if (path.equals(MCP_PATH)) {
            return granted(principal, "", handlers);
        }
        HandlerFactory found = handlers.forView(asked);
        return found == null
                ? new Decision.Refused(
                        404,
                        "There is no view "
                                + DisplayText.quoteName(asked)
                                + ". The endpoint of all tools is "
                                + MCP_PATH)
                : granted(principal, asked, found);
    }

    private Decision ofToken(Principal principal, String view) {
        HandlerFactory found = handlers.forTokenView(view);
        return found == null
                ? new Decision.Refused(
                        404,
                        "The token is for the view "
                                + view
                                + ", which is not defined. Only a configuration file of the user"
                                + " can define the view of a token")
                : granted(principal, view, found);
    }

    private static Decision granted(Principal principal, String view, HandlerFactory handlers) {
        return new Decision.Granted(new EndpointClient(principal.name(), view, handlers));
    }
}
