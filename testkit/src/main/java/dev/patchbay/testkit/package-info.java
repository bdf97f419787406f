/**
 * Instruments for tests of an MCP endpoint: raw clients, scripted servers, oracles and generators.
 * They share no code with the gateway and speak bytes, so that they can find its faults. Start at
 * {@link dev.patchbay.testkit.RawStdioClient} and {@link dev.patchbay.testkit.ServerScript}.
 */
@NullMarked
package dev.patchbay.testkit;

import org.jspecify.annotations.NullMarked;
