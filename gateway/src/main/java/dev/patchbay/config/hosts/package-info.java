/** Imports servers from other MCP hosts and installs Patchbay into them. */
@NullMarked
package dev.patchbay.config.hosts;

import org.jspecify.annotations.NullMarked;
