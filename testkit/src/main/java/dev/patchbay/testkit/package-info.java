/**
 * Scripted MCP servers and clients that speak raw bytes. They share no code with the gateway, so
 * that a fault of its codec cannot hide in them.
 */
@NullMarked
package dev.patchbay.testkit;

import org.jspecify.annotations.NullMarked;
