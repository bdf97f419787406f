package dev.patchbay.app.cli;

import dev.patchbay.app.wiring.AppContext;

import java.io.IOException;

/** Asks the person at the terminal. */
final class Confirmation {
    private static final int ANSWER_CHARS_MAX = 100;

    private Confirmation() {}

    /** Prints a question and waits for the answer; only the word yes is one. */
    static boolean isGiven(AppContext context, String question) throws IOException {
        context.terminal().printMessage(question + "? Type yes: ");
        return readLine(context).strip().equalsIgnoreCase("yes");
    }

    private static String readLine(AppContext context) throws IOException {
        var line = new StringBuilder();
        int c = context.streams().in().read();
        while (c >= 0 && c != '\n' && line.length() < ANSWER_CHARS_MAX) {
            line.append((char) c);
            c = context.streams().in().read();
        }
        return line.toString();
    }
}
