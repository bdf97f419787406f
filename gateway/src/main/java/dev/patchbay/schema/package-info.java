/**
 * Input schemas of tools, compiled once and checked at each call. Schemas and arguments come from
 * strangers: compiling refuses what is invalid, foreign or explosive, and a check spends a fixed
 * number of steps at most. Start with {@link dev.patchbay.schema.InputSchema}.
 */
@NullMarked
package dev.patchbay.schema;

import org.jspecify.annotations.NullMarked;
