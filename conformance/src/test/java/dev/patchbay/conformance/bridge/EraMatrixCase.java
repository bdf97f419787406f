package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.ServerScript;

/**
 * One client and one server of the matrix.
 *
 * @param server the id of the server, which is the start of the names of its tools
 * @param script how the server was started
 */
record EraMatrixCase(
        EraClient client,
        String server,
        boolean modernServer,
        boolean httpServer,
        ServerScript script) {
    static final String CHECK_MARK = "✓";

    boolean modernClient() {
        return client.isModern();
    }

    /** The full name of one of the server's tools. */
    String fullToolName(String name) {
        return server + "." + name;
    }

    /** What the server has recorded. */
    ServerRecording record() {
        return script.recording();
    }

    /** The URI of one of the server's resources. */
    String resourceUri(String name) {
        return "test://" + server + "/" + name;
    }

    /** The client's and the server's era, as the head of a column has them. */
    String eraPairLabel() {
        return (modernClient() ? "modern" : "legacy")
                + " → "
                + (modernServer ? "modern" : "legacy");
    }
}
