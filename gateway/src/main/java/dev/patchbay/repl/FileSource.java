package dev.patchbay.repl;

import java.util.List;

/**
 * The content of a file as a session can evaluate it.
 *
 * @param main the call of its main method; empty if it has none
 * @param ignored lines that mean nothing to a session
 */
record FileSource(String code, String main, List<String> ignored) {}
