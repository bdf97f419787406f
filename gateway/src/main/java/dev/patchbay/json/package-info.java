/**
 * JSON as validated bytes: the bounded reader, the writer, and the values. No other package parses
 * or prints JSON.
 */
@NullMarked
package dev.patchbay.json;

import org.jspecify.annotations.NullMarked;
