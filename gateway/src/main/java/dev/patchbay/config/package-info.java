/**
 * Configuration records. The subpackages parse, read, edit and watch configuration files, import
 * servers from other programs, and install Patchbay into them. Start with {@link
 * dev.patchbay.config.read.ConfigReader}.
 */
@NullMarked
package dev.patchbay.config;

import org.jspecify.annotations.NullMarked;
