/**
 * Compiled input schemas and the violations they find. The only package that knows the validator.
 */
@NullMarked
package dev.patchbay.schema;

import org.jspecify.annotations.NullMarked;
