/**
 * Input schemas of tools, compiled once and validated at each call. Schemas and arguments are
 * untrusted: the compiler rejects invalid, external and exponential schemas, and a validation takes
 * a bounded number of steps. Start with {@link dev.patchbay.schema.InputSchema}.
 */
@NullMarked
package dev.patchbay.schema;

import org.jspecify.annotations.NullMarked;
