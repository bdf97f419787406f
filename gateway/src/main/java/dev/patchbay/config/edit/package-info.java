/** Edits configuration files in place and keeps comments and order. */
@NullMarked
package dev.patchbay.config.edit;

import org.jspecify.annotations.NullMarked;
