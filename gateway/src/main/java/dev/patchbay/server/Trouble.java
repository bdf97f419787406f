package dev.patchbay.server;

import dev.patchbay.mcp.Execution;
import dev.patchbay.mcp.Reason;

/** Why something with a server did not work: for programs, and in words with what to do next. */
public record Trouble(
        Reason reason, String message, String operation, int attempts, Execution execution) {}
