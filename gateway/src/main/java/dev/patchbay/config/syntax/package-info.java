/** Parsers for JSONC, TOML and a part of YAML, with positions, and writers for JSON. */
@NullMarked
package dev.patchbay.config.syntax;

import org.jspecify.annotations.NullMarked;
