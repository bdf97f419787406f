/**
 * Configuration files into records, with all faults at once and where they are; editing and
 * watching them; and the import from and installation into other programs. Start with {@link
 * dev.patchbay.config.read.ConfigReader}.
 */
@NullMarked
package dev.patchbay.config;

import org.jspecify.annotations.NullMarked;
