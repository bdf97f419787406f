/** Reads configuration files into records and collects all findings. */
@NullMarked
package dev.patchbay.config.read;

import org.jspecify.annotations.NullMarked;
