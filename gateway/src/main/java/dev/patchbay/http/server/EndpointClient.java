package dev.patchbay.http.server;

/**
 * A client of the MCP endpoint: who it is, and the view that it gets.
 *
 * @param view the name of the view; empty for the whole catalog
 * @param handlers the handlers for this view
 */
record EndpointClient(String principal, String view, HandlerFactory handlers) {
    /** Whether another request comes from the same principal and goes to the same view. */
    boolean hasSameAccessAs(EndpointClient other) {
        return principal.equals(other.principal) && view.equals(other.view);
    }
}
