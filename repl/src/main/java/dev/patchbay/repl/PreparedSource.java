package dev.patchbay.repl;

import java.util.List;

/**
 * The content of a file as a session can evaluate it.
 *
 * @param mainCall the call of its main method; empty if it has none
 * @param ignoredLines lines that mean nothing to a session
 */
record PreparedSource(String code, String mainCall, List<String> ignoredLines) {}
