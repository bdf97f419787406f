package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.ServerRecord;

import java.nio.file.Path;

/**
 * One client and one server of the matrix.
 *
 * @param server the id of the server, which is the start of the names of its tools
 * @param toolsFile where the server reads some of its tools from
 */
record Cell(
        EraClient client,
        String server,
        boolean modernServer,
        boolean httpServer,
        ServerRecord record,
        Path toolsFile) {
    static final String YES = "✓";

    boolean modernClient() {
        return client.isModern();
    }

    /** The full name of one of the server's tools. */
    String tool(String name) {
        return server + "." + name;
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
