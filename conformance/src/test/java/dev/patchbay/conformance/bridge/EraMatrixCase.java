package dev.patchbay.conformance.bridge;

import dev.patchbay.testkit.ServerRecording;
import dev.patchbay.testkit.ServerScript;

/**
 * One client and one server of the era matrix.
 *
 * @param server the id of the server
 * @param script the script that the server runs
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

    /** The messages that the server recorded. */
    ServerRecording record() {
        return script.recording();
    }

    /** The URI of one of the server's resources. */
    String resourceUri(String name) {
        return "test://" + server + "/" + name;
    }

    /** The eras of client and server, as in the header of a column. */
    String eraPairLabel() {
        return (modernClient() ? "modern" : "legacy")
                + " → "
                + (modernServer ? "modern" : "legacy");
    }
}
