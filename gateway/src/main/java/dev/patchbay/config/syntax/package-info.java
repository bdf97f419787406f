/** Parsers and writers for JSONC and TOML, with the position of every value. */
@NullMarked
package dev.patchbay.config.syntax;

import org.jspecify.annotations.NullMarked;
