/**
 * Configuration files into records, with all faults at once and where they are, and the import from
 * and installation into other programs.
 */
@NullMarked
package dev.patchbay.config;

import org.jspecify.annotations.NullMarked;
