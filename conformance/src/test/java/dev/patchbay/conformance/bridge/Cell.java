package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.ServerRecord;
import dev.patchbay.testkit.ServerScript;

/**
 * One client and one server of the matrix.
 *
 * @param server the id of the server, which is the start of the names of its tools
 * @param script how the server was started
 */
record Cell(
        EraClient client,
        String server,
        boolean modernServer,
        boolean httpServer,
        ServerScript script) {
    static final String YES = "✓";

    boolean modernClient() {
        return client.isModern();
    }

    /** The full name of one of the server's tools. */
    String tool(String name) {
        return server + "." + name;
    }

    /** What the server has recorded. */
    ServerRecord record() {
        return script.record();
    }

    /** The URI of one of the server's resources. */
    String uri(String name) {
        return "test://" + server + "/" + name;
    }

    /** The client's and the server's era, as the head of a column has them. */
    String eras() {
        return (modernClient() ? "modern" : "legacy")
                + " → "
                + (modernServer ? "modern" : "legacy");
    }
}
