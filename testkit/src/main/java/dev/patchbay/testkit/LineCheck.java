package dev.patchbay.testkit;

import java.util.List;

/** Looks at every line between a client and its process, in order, and says what is wrong. */
public interface LineCheck {
    /** Notes a line that the client sent, right or wrong. */
    void sent(byte[] line);

    /** Checks a line that the client received. */
    void received(byte[] line);

    /** What was wrong so far; nothing is the aim. */
    List<String> violations();
}
